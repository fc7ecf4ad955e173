// No room on the disk under the logs of all six. The broker's disk is watched by its own alarm (F11).
import { eventually } from '../../support/eventually.js';
import { createUser, logInAsAdmin } from '../clients.js';
import { Ledger } from '../ledger.js';
import { full, keepBooks } from './books.js';
import { RealSystem } from './real-system.js';
import { processNames } from './six-processes.js';

jest.setTimeout(full ? 30 * 60_000 : 8 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  system = await RealSystem.start();
});
afterAll(() => system?.dispose());

test('F22 a full disk under the logs of all six processes stops nothing', async () => {
  await Promise.all(processNames.map((name) => system.processes[name].relive({ outputTo: '/dev/full' })));
  await system.ready();
  const before = system.deaths();
  await keepBooks(system, 'F22 ENOSPC under the logs', async ({ ledger }) => {
    await eventually('work without a log', () => ledger.answered > (full ? 300 : 15), full ? 600_000 : 120_000);
  });
  expect(system.deaths()).toEqual(before);
  await Promise.all(processNames.map((name) => system.processes[name].relive()));
  const admin = await eventually('an admin session', () => logInAsAdmin(system), 60_000);
  expect((await createUser(new Ledger(), admin)).created).toBe('ok');
});
