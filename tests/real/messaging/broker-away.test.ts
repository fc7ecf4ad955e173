import { QueueUnavailableError } from '@latchkey/messaging';
import { messageOf } from '../../contract/messaging/messaging.suite';
import { eventually } from '../../support/eventually';
import { RabbitBroker } from '../../support/rabbitmq';
import { openRabbitEngine, type RabbitEngine } from './rabbitmq-engine';
import { collect, Load, succeeds } from './traffic';

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
  await eventually('traffic', () => load.confirmed.size > 100, 30_000);
  await fault(load);
  await load.stop();
  await eventually('every confirmed message', () => [...load.confirmed].every((n) => seen.has(n)), 30_000);
  return load;
}

/** Traffic flows again, publishing and consuming, within the 30 s that F8 gives. */
async function recovery(load: Load): Promise<void> {
  const before = load.confirmed.size;
  await eventually('publishing goes on', () => load.confirmed.size > before + 100, 30_000);
}

test('F8 no confirmed message is lost by restarts in good order, and everybody comes back', async () => {
  const load = await underLoad(async (running) => {
    for (let restarts = 0; restarts < 3; restarts += 1) {
      await broker.stop();
      await broker.start();
      await recovery(running);
    }
  });
  expect(load.refused).toBeGreaterThan(0);
}, 180_000);

test('F8 P1 P33 kill -9 of the broker loses no confirmed message and takes no client down', async () => {
  await underLoad(async (running) => {
    for (let kills = 0; kills < 3; kills += 1) {
      await broker.kill();
      await broker.start();
      await recovery(running);
    }
  });
}, 180_000);

test('F8 P1 clients whose connections the broker closes come back', async () => {
  await underLoad(async (running) => {
    for (let times = 0; times < 3; times += 1) {
      await broker.ctl('close_all_connections', 'test');
      await recovery(running);
    }
  });
}, 120_000);

test('F9 while the broker stands still for 5 s nothing is lost, no publish takes longer than its deadline, and no more than 500 are under way', async () => {
  const queue = await engine.connect();
  const consumer = await engine.connect();
  const { seen } = await collect(consumer);
  await queue.publish(messageOf(-1));
  broker.freeze();
  const begun = performance.now();
  const thawed = new Promise<void>((resolve) => {
    setTimeout(() => {
      broker.thaw();
      resolve();
    }, 5_000);
  });
  const numbers = [...Array(2_000).keys()];
  const publishes = numbers.map((n) => queue.publish(messageOf(n)));
  expect(queue.unconfirmed).toBeLessThanOrEqual(500);
  expect((await queue.check()).status).toBe('down');
  expect(queue.unconfirmed).toBeLessThanOrEqual(500);
  const settled = await Promise.allSettled(publishes);
  expect(performance.now() - begun).toBeLessThan(12_000);
  await thawed;
  const confirmed = numbers.filter((n) => settled[n]?.status === 'fulfilled');
  await eventually('every confirmed message', () => confirmed.every((n) => seen.has(n)), 20_000);
  await eventually('a publish', () => succeeds(queue.publish(messageOf(9_999))), 20_000);
}, 60_000);

test('F9 F10 a broker that does not answer is noticed by the heartbeat, and publishing is refused at once from then on', async () => {
  const queue = await engine.connect({ heartbeatSeconds: 1, publishDeadlineMs: 2_000 });
  broker.freeze();
  try {
    await expect(queue.publish(messageOf(1))).rejects.toBeInstanceOf(QueueUnavailableError);
    await eventually(
      'the end of the connection',
      async () => (await queue.check()).detail === 'no connection to the broker',
    );
    const begun = performance.now();
    await expect(queue.publish(messageOf(2))).rejects.toBeInstanceOf(QueueUnavailableError);
    expect(performance.now() - begun).toBeLessThan(500);
  } finally {
    broker.thaw();
  }
  await eventually('health', async () => (await queue.check()).status === 'ok', 30_000);
  await queue.publish(messageOf(3));
}, 60_000);

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

test('F6 stopping while the broker does not answer takes no longer than 10 s', async () => {
  const queue = await engine.connect();
  await collect(queue);
  broker.freeze();
  try {
    const begun = performance.now();
    await queue.stop();
    expect(performance.now() - begun).toBeLessThan(10_000);
  } finally {
    broker.thaw();
  }
  await expect(queue.publish(messageOf(1))).rejects.toBeInstanceOf(QueueUnavailableError);
}, 30_000);
