// kill -9 of one process after the other while clients work: what was answered with success happens, and nothing else does.
import { eventually } from '../../support/eventually.js';
import { aWhile, full, keepBooks } from './books.js';
import { crashPointsOf } from './crash-points.js';
import { RealSystem } from './real-system.js';
import { processNames } from './six-processes.js';

const kills = full ? 120 : 6;

jest.setTimeout(full ? 60 * 60_000 : 8 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  system = await RealSystem.start();
});
afterAll(() => system?.dispose());

test(`F1 F2 F3 F4 F5 ${kills} kills at random moments, of each process in turn, lose nothing that was answered`, async () => {
  const deathsOf = () => processNames.reduce((sum, name) => sum + system.processes[name].ends.length, 0);
  const before = deathsOf();
  await keepBooks(
    system,
    'F1-F5 random kills',
    async ({ ledger, shop }) => {
      for (let kill = 0; kill < kills; kill += 1) {
        const done = ledger.answered + shop.purchases.length;
        await eventually('work between two kills', () => ledger.answered + shop.purchases.length > done + 2, 60_000);
        await aWhile(300);
        await system.processes[processNames[kill % processNames.length] as (typeof processNames)[number]].relive();
      }
    },
    () => ({ kills: deathsOf() - before }),
  );
  expect(deathsOf() - before).toBe(kills);
});

const owners = ['auth', 'user', 'payment', 'payment-processor'] as const;
const rounds = full ? 10 : 1;

/** Each life of a process ends at the next of its points. */
async function crashThrough(name: (typeof owners)[number]): Promise<void> {
  const process = system.processes[name];
  const points = Array.from({ length: rounds }, () => crashPointsOf(name)).flat();
  const before = process.ends.length + 1;
  process.arm(...points.map((point) => ({ settings: { CRASH_AT: point } })));
  await process.kill();
  for (const [at, point] of points.entries()) {
    await process.ended(before + at, 120_000).catch((error: Error) => {
      throw new Error(`nobody came by ${point}: ${error.message}\n${process.log().slice(-2_000)}`);
    });
  }
}

test(`F2 F3 F4 F31 a crash at every point that a service names, ${rounds} times, loses nothing`, async () => {
  const points = owners.flatMap((name) => crashPointsOf(name));
  expect(points.length).toBeGreaterThan(15);
  await keepBooks(
    system,
    'F2-F4 crash points',
    async () => void (await Promise.all(owners.map(crashThrough))),
    () => ({ points: points.length, crashes: points.length * rounds }),
  );
});
