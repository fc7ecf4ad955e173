// `npm run test:faults` and `test:faults:real`: a few of each fault; `-- --full` runs all of them. Other arguments go to jest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, tokens } = parseArgs({
  options: { full: { type: 'boolean' }, project: { type: 'string', default: 'faults' } },
  strict: false,
  tokens: true,
});
const own = new Set(tokens.filter(({ name }) => name === 'full' || name === 'project').map(({ index }) => index));
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url)),
    '--selectProjects',
    values.project,
    '--runInBand',
    // What was broken on purpose may leave a socket behind: that must not hold up whoever waits for the verdict.
    '--forceExit',
    ...process.argv.slice(2).filter((_, index) => !own.has(index)),
  ],
  { stdio: 'inherit', env: { ...process.env, FAULTS: values.full ? 'full' : 'few' } },
);
process.exit(status ?? 1);
