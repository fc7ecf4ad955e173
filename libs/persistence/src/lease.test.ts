import { eventually } from '@latchkey/tests';
import { databaseCheck } from './database-check.js';
import { createLease, leaseModel } from './lease.js';
import { type Bench, openBench } from './testing/accounts.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const lease = (ttl?: number) => createLease({ connection: bench.connection, name: 'sweep', ...(ttl && { ttl }) });

function gate(): { passed: Promise<void>; open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

test('O3 one replica at a time; the next one may when it is done', async () => {
  const { passed, open } = gate();
  let runs = 0;
  const first = lease().runExclusively(() => {
    runs += 1;
    return passed;
  });
  await eventually('the first', () => runs === 1);
  expect(
    await lease().runExclusively(async () => {
      runs += 1;
    }),
  ).toBe(false);
  open();
  expect(await first).toBe(true);
  expect(
    await lease().runExclusively(async () => {
      runs += 1;
    }),
  ).toBe(true);
  expect(runs).toBe(2);
});

test('O3 of twenty that begin at once on an empty database, one runs', async () => {
  const { passed, open } = gate();
  const results = [...Array(20)].map(() => lease().runExclusively(() => passed));
  let refused = 0;
  for (const result of results) {
    void result.then((ran) => {
      if (!ran) refused += 1;
    });
  }
  // Only then is the holder let go: one that came late would rightly be the next.
  await eventually('all others refused', () => refused === 19);
  open();
  expect((await Promise.all(results)).filter(Boolean)).toHaveLength(1);
});

test('a lease whose holder died is free after its time, by the database’s clock', async () => {
  const collection = bench.connection.collection('leases');
  await collection.insertOne({ _id: 'sweep' as never, owner: 'dead', leasedAt: new Date(bench.clock.now()) });
  expect(await lease().runExclusively(async () => {})).toBe(false);
  bench.clock.turn(5_001);
  expect(await lease().runExclusively(async () => {})).toBe(true);
});

test('the lease is renewed while the work runs, and the signal aborts when somebody else took it', async () => {
  const { passed, open } = gate();
  let aborted = false;
  const running = lease(0.3).runExclusively(async (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    await passed;
  });
  const collection = bench.connection.collection('leases');
  const held = () => collection.findOne({ _id: 'sweep' as never });
  await eventually('the lease', held);
  bench.clock.turn(200);
  await eventually('a renewal', async () => (await held())?.leasedAt?.getTime() === bench.clock.now());
  expect(aborted).toBe(false);
  await collection.updateOne({ _id: 'sweep' as never }, { $set: { owner: 'another' } });
  await eventually('the abort', () => aborted);
  open();
  await running;
  expect((await held())?.owner).toBe('another');
});

test('work that fails rejects and gives the lease back', async () => {
  const failing = lease().runExclusively(async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await lease().runExclusively(async () => {})).toBe(true);
});

test('the database check says ok, and down without naming hosts once the database is away', async () => {
  const check = databaseCheck(bench.connection);
  expect(check).toMatchObject({ name: 'database', critical: true });
  expect(await check.run()).toEqual({ status: 'ok' });
  await bench.connection.close();
  expect(await check.run()).toEqual({ status: 'down', detail: expect.stringMatching(/^\w+$/) });
});

test('F22 the database check says degraded while reads are answered and writes are refused', async () => {
  const check = databaseCheck(bench.connection);
  const full = Object.assign(new Error('no room'), { name: 'MongoServerError', code: 14031 });
  const write = jest.spyOn(leaseModel(bench.connection), 'updateOne').mockRejectedValue(full);
  try {
    await eventually('the refusal', async () => (await check.run()).status === 'degraded');
    expect(await check.run()).toEqual({ status: 'degraded', detail: 'takes no writes: MongoServerError' });
  } finally {
    write.mockRestore();
  }
  await eventually('a write that is taken', async () => (await check.run()).status === 'ok');
});
