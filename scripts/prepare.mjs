// Brings a clone to the state in which it can run: dependencies installed as the lock file says, sources compiled.
// Does neither again when it is current. Needs nothing but Node and npm, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, '.build', 'compiled.json');
const bundleStampFile = join(root, '.build', 'bundled.json');
const pagesStampFile = join(root, '.build', 'pages.json');

export function prepare() {
  refuseOldNode();
  if (!isInstalled()) install();
  if (!isCurrent(stampFile, 'services/standalone/dist/main.js', sourcesNow())) compile();
  if (!isCurrent(bundleStampFile, 'services/standalone/dist/main.bundle.cjs', bundleSourcesNow())) bundle();
  if (!isCurrent(pagesStampFile, 'gateway/web/dist/index.html', pageSourcesNow())) buildPages();
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

/** Files as they were when something was made of them: path → size and time of change. */
function fingerprint(folders, names, counts) {
  const files = {};
  const add = (path) => {
    const { size, mtimeMs } = statSync(path);
    files[relative(root, path)] = `${size} ${mtimeMs}`;
  };
  const visit = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist') continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (counts(entry.name)) add(path);
    }
  };
  for (const folder of folders) visit(join(root, folder));
  for (const name of names) add(join(root, name));
  return files;
}

function sourcesNow() {
  const names = ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json', 'gateway/tsconfig.json'];
  const counts = (name) => /\.tsx?$|tsconfig.*\.json$/.test(name) && !name.endsWith('.test.ts');
  return fingerprint(['libs', 'services', 'gateway/src'], names, counts);
}

function bundleSourcesNow() {
  return { ...sourcesNow(), ...fingerprint([], ['scripts/bundle.mjs'], () => false) };
}

function pageSourcesNow() {
  return fingerprint(['gateway/web'], ['package-lock.json'], (name) => !name.endsWith('.test.ts'));
}

function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function writeStamp(file, files) {
  mkdirSync(join(root, '.build'), { recursive: true });
  writeFileSync(file, JSON.stringify(files));
}

const isCurrent = (stampOf, output, now) =>
  existsSync(join(root, output)) && JSON.stringify(readStamp(stampOf)) === JSON.stringify(now);

function compile() {
  const before = readStamp(stampFile);
  const now = sourcesNow();
  // The compiler leaves what it made of a source that is gone: start afresh then.
  if (!before || Object.keys(before).some((path) => !(path in now))) removeOutput();
  say('Compiling …');
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', '--builders', '1', '--checkers', '2']);
  writeStamp(stampFile, now);
}

function bundle() {
  const now = bundleSourcesNow();
  run(process.execPath, [join(root, 'scripts/bundle.mjs')]);
  writeStamp(bundleStampFile, now);
}

function buildPages() {
  const now = pageSourcesNow();
  say('Building the pages …');
  run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'gateway/web', '--logLevel', 'warn']);
  writeStamp(pagesStampFile, now);
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
