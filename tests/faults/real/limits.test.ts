// Too little of what a machine gives: file descriptors, memory.
import { eventually } from '../../support/eventually.js';
import { full, keepBooks, print } from './books.js';
import { bigBody, flood, login, reset, tooBigBody, unclear } from './flood.js';
import { RealSystem } from './real-system.js';
import { processNames } from './six-processes.js';

const atOnce = full ? 2_000 : 300;
const floods = full ? 6 : 2;
/** In each of those, of big bodies among others. */
const crowd = full ? 1_000 : 600;

jest.setTimeout(full ? 30 * 60_000 : 8 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  system = await RealSystem.start();
});
afterAll(() => system?.dispose());

test('F37 with 64 file descriptors the gateway refuses what is too much, says so, and serves again', async () => {
  const { gateway } = system.processes;
  await gateway.relive({ under: 'ulimit -n 64' });
  const lives = gateway.ends.length;
  const before = gateway.log().length;
  const told = await flood(system, atOnce, [login]);
  await system.ready();
  const after = await flood(system, 5, [login]);
  const said =
    gateway
      .log()
      .slice(before)
      .match(/EMFILE|too many open/gi)?.length ?? 0;
  print('F37 ulimit -n 64', { flood: atOnce, told, after, said, deaths: gateway.ends.length - lives });
  expect(unclear(told)).toEqual([]);
  expect(after).toEqual({ 200: 5 });
  expect(gateway.ends.length).toBe(lives);
  expect(said).toBeGreaterThan(0);
  await gateway.relive();
});

/** MB of objects that each of the six may hold: a little more than it takes to start, so that a flood is the end of some. */
const heap = 36;

/** From now on, through all deaths. */
async function allLiveWith(nodeOptions: string): Promise<void> {
  await Promise.all(
    processNames.map((name) => {
      system.processes[name].set({ NODE_OPTIONS: nodeOptions });
      return system.processes[name].relive();
    }),
  );
  await system.ready();
}

test(`F37 with ${heap} MB of heap for each of the six, ${floods} floods of logins, resets and big bodies cost nothing that was accepted`, async () => {
  await allLiveWith(`--max-old-space-size=${heap}`);
  const before = { ...system.deaths() };
  const told: Record<string, number> = {};
  await keepBooks(
    system,
    `F37 ${heap} MB of heap`,
    async ({ ledger }) => {
      for (let time = 0; time < floods; time += 1) {
        const done = ledger.answered;
        const answers = await flood(system, crowd, [login, bigBody, reset, bigBody, tooBigBody]);
        for (const [what, count] of Object.entries(answers)) told[what] = (told[what] ?? 0) + count;
        // Whoever died comes back by itself.
        await eventually('work after the flood', () => ledger.answered > done + 3, 120_000);
      }
    },
    () => ({ flood: crowd, floods, told, diedOfIt: since(before) }),
  );
  expect(unclear(told)).toEqual([]);
  await allLiveWith('');
});

/** How often each process has died since then. */
function since(before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(system.deaths())
      .map(([name, deaths]) => [name, deaths - (before[name] ?? 0)] as const)
      .filter(([, deaths]) => deaths > 0),
  );
}
