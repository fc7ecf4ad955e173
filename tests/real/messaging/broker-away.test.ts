import { QueueUnavailableError } from '@latchkey/messaging';
import { messageOf } from '../../contract/messaging/messaging.suite';
import { eventually } from '../../support/eventually';
import { RabbitBroker } from '../../support/rabbitmq';
import { openRabbitEngine, type RabbitEngine } from './rabbitmq-engine';
import { collect, isFull, Load, succeeds } from './traffic';

// Of hooks too: a busy broker takes its time to remove a virtual host.
jest.setTimeout(120_000);

let broker: RabbitBroker;
let engine: RabbitEngine;
beforeAll(async () => {
  broker = await RabbitBroker.start();
}, 120_000);
beforeEach(async () => {
  engine = await openRabbitEngine(broker);
});
afterEach(() => engine.dispose());
afterAll(() => broker?.dispose());

/** Publishes and consumes while `fault` happens; gives what came of it once everything confirmed has arrived. */
async function underLoad(fault: (load: Load) => Promise<void>): Promise<Load> {
  const consumer = await engine.connect();
  const publisher = await engine.connect();
  await broker.settle();
  const { seen } = await collect(consumer);
  const load = new Load(publisher);
  await eventually('traffic', () => load.confirmed.size > 100, 60_000);
  await fault(load);
  await load.stop();
  await eventually('every confirmed message', () => [...load.confirmed].every((n) => seen.has(n)), 60_000);
  return load;
}

/** Traffic flows again. F8 gives 30 s on a machine that is not busy. */
async function recovery(load: Load): Promise<void> {
  const before = load.confirmed.size;
  await eventually('publishing goes on', () => load.confirmed.size > before + 100, 60_000);
}

test('F8 P2 no confirmed message is lost by restarts in good order, and everybody comes back', async () => {
  const load = await underLoad(async (running) => {
    for (let restarts = 0; restarts < (isFull ? 20 : 2); restarts += 1) {
      await broker.stop();
      await broker.start();
      await recovery(running);
    }
  });
  expect(load.refused).toBeGreaterThan(0);
}, 900_000);

test('F8 P1 P33 kill -9 of the broker loses no confirmed message and takes no client down', async () => {
  await underLoad(async (running) => {
    for (let kills = 0; kills < (isFull ? 20 : 2); kills += 1) {
      await broker.kill();
      await broker.start();
      await recovery(running);
    }
  });
}, 900_000);

test('F8 P1 clients whose connections the broker closes come back', async () => {
  await underLoad(async (running) => {
    for (let times = 0; times < (isFull ? 20 : 3); times += 1) {
      await broker.ctl('close_all_connections', 'by the test');
      await recovery(running);
    }
  });
}, 120_000);

test('F9 P3 while the broker stands still no more than 500 are under way and each publish ends at its deadline; what is published again arrives', async () => {
  const queue = await engine.connect({ publishDeadlineMs: 2_000, heartbeatSeconds: 60 });
  const { seen } = await collect(await engine.connect());
  await queue.publish(messageOf(5_000));
  const numbers = [...Array(2_000).keys()];
  broker.freeze();
  try {
    const publishes = Promise.allSettled(numbers.map((n) => queue.publish(messageOf(n))));
    expect(queue.unconfirmed).toBeLessThanOrEqual(500);
    expect((await queue.check()).status).toBe('down');
    expect(queue.unconfirmed).toBeLessThanOrEqual(500);
    // All of them while it still stands.
    for (const end of await publishes) expect(end).toMatchObject({ reason: expect.any(QueueUnavailableError) });
  } finally {
    broker.thaw();
  }
  await Promise.all(numbers.map((n) => eventually('a confirm', () => succeeds(queue.publish(messageOf(n))), 60_000)));
  await eventually('every confirmed message', () => numbers.every((n) => seen.has(n)), 30_000);
}, 120_000);

test.each(isFull ? [5, 30, 90] : [5])(
  'F9 %i s of standstill under load lose no confirmed message, and nobody needs a hand',
  async (seconds) => {
    const load = await underLoad(async (running) => {
      broker.freeze();
      // The fault itself lasts this long.
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      broker.thaw();
      await recovery(running);
    });
    expect(load.confirmed.size).toBeGreaterThan(100);
  },
  300_000,
);

test('F9 P9 a broker that does not answer is noticed by the heartbeat, and publishing is refused without waiting from then on', async () => {
  const queue = await engine.connect({ heartbeatSeconds: 1, publishDeadlineMs: 60_000 });
  broker.freeze();
  try {
    await expect(queue.publish(messageOf(1))).rejects.toThrow(/channel|connection/);
    await eventually('the end of both', async () => (await queue.check()).detail === 'no connection to the broker');
    await expect(queue.publish(messageOf(2))).rejects.toThrow('no connection to the broker');
  } finally {
    broker.thaw();
  }
  await eventually('health', async () => (await queue.check()).status === 'ok', 60_000);
  await queue.publish(messageOf(3));
}, 120_000);

test('F8 started while the broker is away: health says so, publishing is refused at once, and it works when the broker comes', async () => {
  await broker.stop();
  const queue = engine.open();
  let started = false;
  const starting = queue.start().then(() => {
    started = true;
  });
  const { seen } = await collect(queue);
  try {
    await expect(queue.publish(messageOf(1))).rejects.toBeInstanceOf(QueueUnavailableError);
    expect(await queue.check()).toEqual({ status: 'down', detail: 'no connection to the broker' });
    await expect(queue.depths()).rejects.toBeInstanceOf(QueueUnavailableError);
    expect(started).toBe(false);
  } finally {
    await broker.start();
  }
  await starting;
  await queue.publish(messageOf(2));
  await eventually('the delivery', () => seen.has(2));
}, 60_000);

test('F6 P6 stopping ends while the broker still does not answer', async () => {
  // Its heartbeat would end it after the time that this test has.
  const queue = await engine.connect({ heartbeatSeconds: 120 });
  await collect(queue);
  broker.freeze();
  try {
    await queue.stop();
  } finally {
    broker.thaw();
  }
  await expect(queue.publish(messageOf(1))).rejects.toBeInstanceOf(QueueUnavailableError);
}, 60_000);
