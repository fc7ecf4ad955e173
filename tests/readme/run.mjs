// `npm run test:readme`: does what the README says, word for word, in a fresh clone: starts the system and runs every `sh` block in order.
// The one thing filled in is what the README asks the reader to fill in: the password that `npm start` printed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'latchkey-readme-'));
const clone = join(work, 'clone');
const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, text]) => text,
);

let system;
let log = '';
try {
  run('git', ['clone', '--quiet', root, clone]);
  const [start, ...session] = blocks;
  if (start.trim() !== 'npm start') throw new Error('The first command of the README is not `npm start`');
  system = spawn('npm', ['start'], { cwd: clone, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  system.stdout.on('data', (chunk) => {
    log += chunk;
  });
  await until(() => log.includes('Latchkey is running'), 180_000);
  await until(() => /Its password {2,}(\S+)/.test(log), 5_000);
  const [, password] = /Its password {2,}(\S+)/.exec(log);

  const script = session.join('\necho\n').replace("PASSWORD='…'", `PASSWORD='${password}'`);
  const { stdout, status } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: work,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(stdout);
  if (status !== 0) throw new Error(`The session ended with ${status}`);
  if (/"code":/.test(stdout)) throw new Error('A command of the session was refused');
  for (const expected of ['"email":"ada@example.com"', '***', 'has been updated', '401\n', '"status":"paid"']) {
    if (!stdout.includes(expected)) throw new Error(`The session never printed ${JSON.stringify(expected)}`);
  }
  process.stdout.write(`\n${blocks.length} blocks of the README did what they say.\n`);
} finally {
  if (system?.exitCode === null) process.kill(-system.pid, 'SIGTERM');
  rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

async function until(condition, milliseconds) {
  const giveUpAt = Date.now() + milliseconds;
  while (!condition()) {
    if (system.exitCode !== null) throw new Error(`npm start ended with ${system.exitCode}:\n${log}`);
    if (Date.now() > giveUpAt) throw new Error(`Not within ${milliseconds} ms:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
