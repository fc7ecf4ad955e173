// Brings a clone to the state in which it can run: dependencies installed as the lock file says, sources compiled.
// Does neither again when it is current. Needs nothing but Node and npm, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, '.build', 'compiled.json');
const compiledParts = ['libs', 'services', 'gateway'];

export function prepare() {
  refuseOldNode();
  if (!isInstalled()) install();
  if (!isCompiled()) compile();
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Latchkey needs Node 20.19 or later; this is ${process.versions.node}.`);
}

/** npm writes node_modules/.package-lock.json when an install is complete: it must hold every package that the lock file asks for. */
function isInstalled() {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!installed) return false;
  return Object.entries(readPackages(join(root, 'package-lock.json')) ?? {}).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true;
    if (wanted.link) return existsSync(join(root, path));
    return wanted.optional || wanted.devOptional || installed[path]?.version === wanted.version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  say('Installing dependencies (once) …');
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund']);
}

/** The sources as they were compiled: path → size and time of change. */
function fingerprint() {
  const files = {};
  const visit = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist') continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (/\.tsx?$|tsconfig.*\.json$/.test(entry.name) && !entry.name.endsWith('.test.ts')) {
        const { size, mtimeMs } = statSync(path);
        files[relative(root, path)] = `${size} ${mtimeMs}`;
      }
    }
  };
  for (const part of compiledParts) visit(join(root, part));
  for (const name of ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json']) {
    const { size, mtimeMs } = statSync(join(root, name));
    files[name] = `${size} ${mtimeMs}`;
  }
  return files;
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function isCompiled() {
  const stamp = readStamp();
  return (
    stamp !== undefined &&
    existsSync(join(root, 'services/standalone/dist/main.js')) &&
    JSON.stringify(stamp) === JSON.stringify(fingerprint())
  );
}

function compile() {
  const before = readStamp();
  const now = fingerprint();
  // The compiler leaves what it made of a source that is gone: start afresh then.
  if (!before || Object.keys(before).some((path) => !(path in now))) removeOutput();
  say('Compiling …');
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b']);
  mkdirSync(join(root, '.build'), { recursive: true });
  writeFileSync(stampFile, JSON.stringify(now));
}

function removeOutput() {
  for (const part of ['libs', 'services']) {
    for (const name of readdirSync(join(root, part)))
      rmSync(join(root, part, name, 'dist'), { recursive: true, force: true });
  }
  rmSync(join(root, 'gateway/dist'), { recursive: true, force: true });
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) fail(`${command} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare();
