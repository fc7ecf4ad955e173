import { QueueUnavailableError, UnroutableError } from '@latchkey/messaging';
import { eventually } from '@latchkey/tests';
import { newEvent } from '../aggregate.js';
import { type Account, type Bench, deposited, FakeBroker, openBench, type Process } from '../testing/accounts.js';

let bench: Bench;
let broker: FakeBroker;
beforeEach(async () => {
  bench = await openBench();
  broker = new FakeBroker();
});
afterEach(() => bench.close());

const event = (amount: number, notAfter?: Date) => newEvent(deposited, { amount }, notAfter ? { notAfter } : {});
const never = () => new Promise<void>(() => {});

async function deposit(process: Process, id: number, amount: number): Promise<Account | null> {
  const change = () => ({ $inc: { balance: amount }, events: [event(amount)] });
  return process.aggregates.change(process.accounts, { _id: id }, change, 'request');
}

async function open(process: Process, id: number): Promise<void> {
  await process.aggregates.insert<Account>(process.accounts, { _id: id, balance: 0 }, [event(0)], 'request');
}

async function stored(id: number): Promise<Account> {
  return (await bench.accounts.findById(id).lean()) as unknown as Account;
}

const settled = async (id: number) => {
  const account = await stored(id);
  return account.outbox.length === 0 && account.outboxPending === undefined && account.outboxOwner === undefined;
};

test('O1 an event whose writer died before publishing is published by the sweep of another process', async () => {
  const dead = bench.process(broker);
  await open(dead, 1);
  dead.die();
  const next = bench.process(broker);
  await next.relay.start();
  await eventually('the event', () => broker.published.length === 1);
  await eventually('an empty outbox', () => settled(1));
  expect(broker.published[0]).toMatchObject({
    name: 'test.deposited.v1',
    aggregateId: '1',
    sequence: 0,
    correlationId: 'request',
    payload: { amount: 0 },
  });
});

test('O1 a write wakes the relay at once, without a sweep', async () => {
  const one = bench.process({ ...broker, sweepMs: 3_600_000 });
  await one.relay.start();
  await open(one, 1);
  await eventually('the event', () => broker.published.length === 1, 1_000);
});

test('O1 a process that dies while it publishes leaves the event to another, once its lease has ended', async () => {
  const dying = bench.process({ publish: never });
  await dying.relay.start();
  await open(dying, 1);
  await eventually('a lease', async () => (await stored(1)).outboxOwner !== undefined);
  dying.die();
  let looked = 0;
  const next = bench.process({
    ...broker,
    models: () => {
      looked += 1;
      return [bench.accounts];
    },
  });
  await next.relay.start();
  await eventually('three sweeps', () => looked >= 3);
  expect(broker.published).toEqual([]);
  bench.clock.turn(5_001);
  await eventually('the event', () => broker.published.length === 1);
});

test('O2 a process that dies between the confirm and the mark leads to a duplicate with the same id, and nothing worse', async () => {
  const dying = bench.process({
    publish: async (message) => {
      await broker.publish(message);
      dying.die();
    },
  });
  await dying.relay.start();
  await open(dying, 1);
  await eventually('the first', () => broker.published.length === 1);
  bench.clock.turn(5_001);
  const next = bench.process(broker);
  await next.relay.start();
  await eventually('the duplicate', () => broker.published.length === 2);
  await eventually('an empty outbox', () => settled(1));
  expect(new Set(broker.ids).size).toBe(1);
});

test('O3 four relays and 1000 events: each is published once', async () => {
  // A confirm takes its time, so that the others' sweeps come while it is awaited.
  broker.before = () => new Promise((resolve) => setTimeout(resolve, 10));
  const processes = [1, 2, 3, 4].map(() => bench.process({ publish: broker.publish, sweepMs: 10 }));
  await Promise.all(
    [...Array(200).keys()].map(async (id) => {
      const process = processes[id % 4] as Process;
      await open(process, id);
      for (let n = 1; n < 5; n += 1) await deposit(processes[(id + n) % 4] as Process, id, n);
    }),
  );
  // All four find the same two hundred aggregates, in the same order.
  await Promise.all(processes.map(({ relay }) => relay.start()));
  await eventually('all of them', () => broker.published.length >= 1_000, 30_000);
  await eventually(
    'no pending aggregate',
    async () => (await bench.accounts.countDocuments({ outboxPending: true })) === 0,
  );
  expect(broker.published).toHaveLength(1_000);
  expect(new Set(broker.ids).size).toBe(1_000);
}, 60_000);

test('O3 a lease is renewed while publishing takes longer than it lasts', async () => {
  let release = () => {};
  const confirmed = new Promise<void>((resolve) => {
    release = resolve;
  });
  broker.before = () => confirmed;
  const one = bench.process({ publish: broker.publish, leaseMs: 300 });
  await one.relay.start();
  await open(one, 1);
  const leasedAt = async () => (await stored(1)).outboxLeasedAt?.getTime();
  await eventually('the lease', leasedAt);
  const other = bench.process({ publish: broker.publish, leaseMs: 300, sweepMs: 10 });
  await other.relay.start();
  for (let renewals = 0; renewals < 4; renewals += 1) {
    bench.clock.turn(200);
    await eventually('a renewal', async () => (await leasedAt()) === bench.clock.now());
  }
  release();
  await eventually('an empty outbox', () => settled(1));
  expect(broker.published).toHaveLength(1);
});

test('O4 while the engine is away nothing is marked, and it goes on by itself', async () => {
  let away = true;
  broker.before = () => {
    if (away) throw new QueueUnavailableError('refused');
  };
  const one = bench.process(broker);
  await one.relay.start();
  await open(one, 1);
  await eventually('the lease is given back', async () => {
    const account = await stored(1);
    return account.outboxPending === true && account.outboxOwner === undefined;
  });
  await deposit(one, 1, 5);
  expect(broker.published).toEqual([]);
  expect((await stored(1)).outbox).toHaveLength(2);
  bench.clock.turn(90_000);
  expect(await one.relay.pending()).toEqual({ count: 1, oldestSeconds: 90 });
  away = false;
  await eventually('both', () => broker.published.length === 2);
  await eventually('an empty outbox', () => settled(1));
  expect(await one.relay.pending()).toEqual({ count: 0, oldestSeconds: 0 });
});

test('O4 a confirm that never comes is a failure after its deadline: the event stays', async () => {
  let mute = true;
  broker.before = () => (mute ? never() : undefined);
  const one = bench.process({ publish: broker.publish, publishLimitMs: 30 });
  await one.relay.start();
  await open(one, 1);
  await eventually('the lease is given back', async () => (await stored(1)).outboxOwner === undefined);
  expect((await stored(1)).outbox).toHaveLength(1);
  mute = false;
  await eventually('the event', () => broker.published.length === 1);
});

test('O5 a hundred changes against the marks of a hundred events lose neither', async () => {
  const one = bench.process(broker);
  const other = bench.process(broker);
  await open(one, 1);
  await Promise.all([one.relay.start(), other.relay.start()]);
  await Promise.all([...Array(100).keys()].map((n) => deposit(n % 2 ? one : other, 1, 1)));
  await eventually('all of them', () => broker.published.length === 101);
  await eventually('an empty outbox', () => settled(1));
  expect(await stored(1)).toMatchObject({ balance: 100, version: 100 });
  expect(new Set(broker.ids).size).toBe(101);
}, 30_000);

test('O6 the event of a deleted aggregate still arrives', async () => {
  let away = true;
  let refused = 0;
  broker.before = () => {
    refused += 1;
    if (away) throw new QueueUnavailableError('refused');
  };
  const one = bench.process(broker);
  await one.relay.start();
  await one.aggregates.insert<Account>(one.accounts, { _id: 1, balance: 0 }, [], 'request');
  const erase = () => ({ $set: { deletedAt: new Date(), name: undefined }, events: [event(-1)] });
  await one.aggregates.change(one.accounts, { _id: 1 }, erase, 'request');
  await eventually('a refusal', () => refused === 1);
  away = false;
  await eventually('the event', () => broker.published.length === 1);
});

test('O7 past its cap the outbox refuses events with a 503, and other changes still go through', async () => {
  const one = bench.process(broker);
  await open(one, 1);
  for (let n = 1; n < 100; n += 1) await deposit(one, 1, 1);
  await expect(deposit(one, 1, 1)).rejects.toMatchObject({ code: 'service-unavailable', status: 503 });
  const changed = await one.aggregates.change(one.accounts, { _id: 1 }, () => ({ $set: { name: 'Ada' } }), 'request');
  expect(changed).toMatchObject({ balance: 99, name: 'Ada' });
  await one.relay.start();
  await eventually('room', () => settled(1));
  expect(await deposit(one, 1, 1)).toMatchObject({ balance: 100 });
});

test('O8 an event that cannot be published holds up neither its neighbours nor other aggregates, and is set aside after 20 attempts', async () => {
  broker.before = ({ aggregateId, sequence }) => {
    if (aggregateId === '1' && sequence === 0) throw new UnroutableError('no queue');
  };
  const one = bench.process(broker);
  await open(one, 1);
  await deposit(one, 1, 5);
  await open(one, 2);
  await one.relay.start();
  await eventually('the neighbours', () => broker.published.length === 2);
  await eventually('a noted attempt', async () => (await stored(1)).outbox[0]?.attempts === 1);
  expect(await stored(1)).toMatchObject({ outboxPending: true });
  await one.relay.stop();

  await bench.accounts.updateOne({ _id: 1 }, { $set: { 'outbox.0.attempts': 19 } });
  const next = bench.process(broker);
  await next.relay.start();
  await eventually('the quarantine', async () => (await stored(1)).outbox[0]?.quarantinedAt instanceof Date);
  await eventually('no pending flag', async () => (await stored(1)).outboxPending === undefined);

  await deposit(next, 1, 7);
  await eventually('a later event', () => broker.published.length === 3);
  await eventually('only the quarantined one stays', async () => {
    const { outbox, outboxPending } = await stored(1);
    return outbox.length === 1 && outboxPending === undefined;
  });
});

test('O9 the sequence rises with each change, and events leave in its order', async () => {
  const one = bench.process(broker);
  await open(one, 1);
  for (const amount of [1, 2, 3]) await deposit(one, 1, amount);
  await one.relay.start();
  await eventually('all of them', () => broker.published.length === 4);
  expect(broker.published.map(({ sequence, payload }) => [sequence, payload])).toEqual([
    [0, { amount: 0 }],
    [1, { amount: 1 }],
    [2, { amount: 2 }],
    [3, { amount: 3 }],
  ]);
});

test('O11 an event that outlived its meaning is dropped, and those after it are published', async () => {
  const one = bench.process(broker);
  const soon = new Date(bench.clock.now() + 1_000);
  await one.aggregates.insert<Account>(one.accounts, { _id: 1, balance: 0 }, [event(1, soon), event(2)], 'request');
  bench.clock.turn(1_001);
  await one.relay.start();
  await eventually('an empty outbox', () => settled(1));
  expect(broker.published.map(({ payload }) => payload)).toEqual([{ amount: 2 }]);
});

test('an event that is written while its neighbour is being published follows at once', async () => {
  const one = bench.process({ ...broker, sweepMs: 3_600_000 });
  await one.relay.start();
  let begun = false;
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  broker.before = () => {
    begun = true;
    return gate;
  };
  await open(one, 1);
  await eventually('the first', () => begun);
  await deposit(one, 1, 5);
  release();
  await eventually('both', () => broker.published.length === 2, 2_000);
  await eventually('an empty outbox', () => settled(1));
});

test('O5 O8 in a batch of many, one that is refused and one that is changed meanwhile take nothing from the others', async () => {
  const writer = bench.process(broker);
  const ids = Array.from({ length: 40 }, (_, at) => at + 1);
  for (const id of ids) await open(writer, id);
  const bulk = jest.spyOn(bench.accounts, 'bulkWrite');
  broker.before = async ({ aggregateId, sequence }) => {
    if (aggregateId === '7') throw new UnroutableError('no queue');
    if (aggregateId === '8' && sequence === 0) await deposit(writer, 8, 5);
  };
  const one = bench.process({ ...broker, sweepMs: 3_600_000 });
  await one.relay.start();
  await eventually('an empty outbox of every other', async () => {
    const pending = await bench.accounts.find({ outboxPending: true }).select({ _id: 1 }).lean();
    return pending.map(({ _id }) => _id).join() === '7';
  });
  expect(bulk).toHaveBeenCalledTimes(1);
  const published = broker.published.map(({ aggregateId, sequence }) => `${aggregateId}/${sequence}`);
  const expected = [...ids.filter((id) => id !== 7).map((id) => `${id}/0`), '8/1'];
  expect(published.sort()).toEqual(expected.sort());
  expect(await settled(8)).toBe(true);
  await eventually('the lease of the refused one given back', async () => (await stored(7)).outboxOwner === undefined);
  expect((await stored(7)).outbox).toMatchObject([{ sequence: 0, attempts: 1 }]);
});

test('O8 in a batch, aggregates at different versions are all emptied, and what was set aside before stays', async () => {
  const writer = bench.process(broker);
  for (let id = 1; id <= 30; id += 1) {
    await open(writer, id);
    if (id % 3 === 0) await deposit(writer, id, 5);
  }
  await bench.accounts.updateOne({ _id: 4 }, { $set: { 'outbox.0.quarantinedAt': new Date() } });
  await deposit(writer, 4, 5);
  const bulk = jest.spyOn(bench.accounts, 'bulkWrite');
  const one = bench.process({ ...broker, sweepMs: 3_600_000 });
  await one.relay.start();
  await eventually('nothing pending', async () => (await bench.accounts.countDocuments({ outboxPending: true })) === 0);
  // Those at version 0, those at version 1, and the one that keeps something.
  expect(bulk.mock.calls.map(([writes]) => writes.length)).toEqual([3]);
  expect(new Set(broker.published.map(({ id }) => id)).size).toBe(broker.published.length);
  expect(broker.published).toHaveLength(30 + 10);
  expect((await stored(4)).outbox).toMatchObject([{ sequence: 0, quarantinedAt: expect.any(Date) }]);
  for (const id of [1, 2, 3, 30]) expect(await settled(id)).toBe(true);
});

/** Accounts that a dead process left with an event each. */
async function leave(count: number): Promise<void> {
  const entry = (id: number) => ({
    id: `event-${id}`,
    name: deposited.name,
    sequence: 0,
    occurredAt: new Date(0),
    correlationId: 'request',
    payload: { amount: id },
  });
  const documents = Array.from({ length: count }, (_, at) => at + 1).map((_id) => {
    return { _id, balance: 0, version: 0, outbox: [entry(_id)], outboxPending: true };
  });
  await bench.accounts.collection.insertMany(documents as never[]);
}

test('a backlog of more than one sweep takes is drained without waiting for the next one', async () => {
  await leave(2_500);
  const one = bench.process({ ...broker, sweepMs: 3_600_000 });
  await one.relay.start();
  await eventually('all of them', () => broker.published.length === 2_500, 60_000);
  await eventually('nothing pending', async () => (await bench.accounts.countDocuments({ outboxPending: true })) === 0);
  expect(new Set(broker.published.map(({ id }) => id)).size).toBe(2_500);
}, 120_000);

test('O8 a backlog of which nothing can be published is not swept again and again', async () => {
  await leave(1_500);
  const tried = new Set<string>();
  broker.before = ({ aggregateId }) => {
    tried.add(aggregateId);
    throw new UnroutableError('no queue');
  };
  let sweeps = 0;
  const models = () => {
    sweeps += 1;
    return [bench.accounts];
  };
  const one = bench.process({ ...broker, models, sweepMs: 3_600_000 });
  await one.relay.start();
  await eventually('an attempt at each that the sweep took', () => tried.size >= 1_000, 60_000);
  await one.relay.stop();
  expect(sweeps).toBe(1);
}, 120_000);

test('O4 a batch that meets an engine that is away keeps all of it, free for whoever comes next', async () => {
  const writer = bench.process(broker);
  for (let id = 1; id <= 40; id += 1) await open(writer, id);
  let tried = 0;
  broker.before = () => {
    tried += 1;
    throw new QueueUnavailableError('away');
  };
  const one = bench.process(broker);
  await one.relay.start();
  await eventually('a batch that was tried', () => tried > 1);
  await eventually('no lease', async () =>
    (await bench.accounts.find({ outboxPending: true }).lean()).every(({ outboxOwner }) => outboxOwner === undefined),
  );
  await one.relay.stop();
  broker.before = () => {};
  const next = bench.process(broker);
  await next.relay.start();
  await eventually('all of them', () => broker.published.length === 40);
});

test('F6 stop waits for the event under way, and keeps what was not begun', async () => {
  let release = () => {};
  let begun = 0;
  broker.before = () => {
    begun += 1;
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  const one = bench.process(broker);
  await open(one, 1);
  await deposit(one, 1, 5);
  await one.relay.start();
  await eventually('the first', () => begun === 1);
  const stopped = one.relay.stop();
  release();
  await stopped;
  expect(broker.published).toHaveLength(1);
  const account = await stored(1);
  expect(account.outbox).toHaveLength(1);
  expect(account).toMatchObject({ outboxPending: true });
  expect(account.outboxOwner).toBeUndefined();
});
