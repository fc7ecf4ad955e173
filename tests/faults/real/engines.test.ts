// Broker and database go away, come back, stand still or lose answers while clients work. Nobody repairs anything.
import { eventually } from '../../support/eventually.js';
import { aWhile, full, keepBooks } from './books.js';
import { RealSystem } from './real-system.js';
import { Watch } from './watch.js';

const times = full ? 20 : 1;
/** Short of what heartbeats allow, about as long, and longer, in ms; each of them twice. */
const freezes = full ? [5_000, 30_000, 90_000, 5_000, 30_000, 90_000] : [0];

jest.setTimeout(full ? 90 * 60_000 : 10 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  system = await RealSystem.start();
  // What quorum queues there are survives a kill -9 only once the broker has stopped in good order (P33).
  await system.engines.broker.settle();
  await system.ready();
});
afterAll(() => system?.dispose());

/** Holds a fault until so many requests met it. */
const met = (watch: Watch, requests: number) =>
  eventually('requests that meet the fault', () => watch.asked >= requests, 120_000);

/** `holds`: how long the fault lasts beyond the first requests that meet it, ms, time after time. */
async function repeat(
  name: string,
  fault: () => Promise<void>,
  heal: () => Promise<void>,
  holds: readonly number[] = Array(times).fill(0),
): Promise<void> {
  const watch = new Watch(system);
  await keepBooks(
    system,
    name,
    async ({ ledger }) => {
      for (const hold of holds) {
        const before = ledger.answered;
        await eventually('work before the fault', () => ledger.answered > before + 3, 60_000);
        await aWhile(300);
        await system.trouble(async () => {
          await fault();
          watch.begin();
          try {
            await met(watch, 4);
            await new Promise((resolve) => setTimeout(resolve, hold));
          } finally {
            await watch.end();
          }
          await heal();
        });
        await system.ready();
      }
    },
    () => ({ times: holds.length, ...watch.facts(), megabytes: system.megabytes() }),
  );
  // Whatever happens, an answer comes in time, and it is a clear one.
  expect(watch.unclear).toEqual([]);
}

test(`F15 the database is killed and comes back ${times} times: 503 in time, no acknowledged write lost`, async () => {
  const { database } = system.engines;
  await repeat(
    'F15 kill -9 of the database',
    () => database.kill(),
    () => database.start(),
  );
});

test(`F15 the database stands still ${times} times: 503 in time, nothing lost`, async () => {
  const { database } = system.engines;
  await repeat(
    'F15 SIGSTOP of the database',
    async () => database.freeze(),
    async () => database.thaw(),
  );
});

test(`F16 the database's answers are lost ${times} times after the request went out: nothing lost, nothing doubled`, async () => {
  const { database } = system.proxies;
  await repeat(
    'F16 replies of the database dropped',
    async () => database.blackhole('reply'),
    async () => {
      // What was under way never gets its answer.
      database.reset();
      database.heal();
    },
  );
});

test(`F8 the broker is restarted ${times} times: writes are answered, mails come once it is back`, async () => {
  const { broker } = system.engines;
  await repeat(
    'F8 restart of the broker',
    () => broker.stop(),
    () => broker.start(),
  );
});

test(`F8 the broker is killed ${times} times: no confirmed message is lost`, async () => {
  const { broker } = system.engines;
  await repeat(
    'F8 kill -9 of the broker',
    () => broker.kill(),
    () => broker.start(),
  );
});

test(`F9 the broker stands still ${freezes.length} times: clients are answered meanwhile, nothing lost, memory bounded`, async () => {
  const { broker } = system.engines;
  await repeat(
    'F9 SIGSTOP of the broker',
    async () => broker.freeze(),
    async () => broker.thaw(),
    freezes,
  );
  expect(Math.max(...Object.values(system.megabytes()))).toBeLessThan(400);
});

test('F35 late, narrow and breaking lines only make everything slower', async () => {
  const { amqp, database, smtp } = system.proxies;
  const all = [amqp, database, smtp];
  await keepBooks(system, 'F35 latency, 1 Mbit, resets', async ({ ledger }) => {
    const progress = async (what: string) => {
      const before = ledger.answered;
      await eventually(
        `work over ${what}`,
        () => ledger.answered > before + (full ? 100 : 5),
        full ? 900_000 : 120_000,
      );
    };
    for (const proxy of all) proxy.latency(50);
    await progress('late lines');
    for (const proxy of all) proxy.heal();
    for (const proxy of all) proxy.bandwidth(125_000);
    await progress('narrow lines');
    for (const proxy of all) proxy.heal();
    await system.trouble(async () => {
      const breaking = setInterval(() => all[Math.floor(Math.random() * all.length)]?.reset(), 1_500);
      await progress('breaking lines').finally(() => clearInterval(breaking));
    });
  });
});
