// `npm run test:faults`: a few of each fault; `-- --full` runs all of them. Other arguments go to jest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const given = process.argv.slice(2);
const full = given.includes('--full');
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url)),
    '--selectProjects',
    'faults',
    '--runInBand',
    ...given.filter((argument) => argument !== '--full'),
  ],
  { stdio: 'inherit', env: { ...process.env, FAULTS: full ? 'full' : 'few' } },
);
process.exit(status ?? 1);
