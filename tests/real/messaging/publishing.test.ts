import { QueueUnavailableError, UnroutableError } from '@latchkey/messaging';
import { connect } from 'amqplib';
import { messageOf, parse, suiteBindings } from '../../contract/messaging/messaging.suite';
import { eventually } from '../../support/eventually';
import { RabbitBroker } from '../../support/rabbitmq';
import { openRabbitEngine, type RabbitEngine } from './rabbitmq-engine';
import { collect, succeeds } from './traffic';

// Of hooks too: a busy broker takes its time to remove a virtual host.
jest.setTimeout(120_000);

const { first } = suiteBindings;
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

/** So large that the channel's buffer is full after a few dozen. */
function largeMessage(n: number) {
  return { ...messageOf(n), payload: { n, filler: 'x'.repeat(50_000) } };
}

test('P4 a full buffer holds publishing up and no message is sent twice', async () => {
  const queue = await engine.connect();
  const { seen, count } = await collect(queue);
  await Promise.all([...Array(1_000).keys()].map((n) => queue.publish(largeMessage(n))));
  await eventually('all of them', () => seen.size === 1_000, 30_000);
  expect(count()).toBe(1_000);
}, 60_000);

test('P5 publishers that wait for a full buffer are refused when the broker dies, not at their deadline', async () => {
  const queue = await engine.connect({ publishDeadlineMs: 60_000 });
  await broker.settle();
  await eventually('a publish', () => succeeds(queue.publish(messageOf(0))), 30_000);
  broker.freeze();
  const publishes = [...Array(1_000).keys()].map((n) => queue.publish(largeMessage(n)));
  const settled = Promise.allSettled(publishes);
  expect(queue.unconfirmed).toBeGreaterThan(0);
  expect(queue.unconfirmed).toBeLessThanOrEqual(500);
  await broker.kill();
  for (const outcome of await settled) {
    expect(outcome).toMatchObject({ reason: expect.any(QueueUnavailableError) });
    expect(String((outcome as PromiseRejectedResult).reason)).not.toMatch(/not confirmed within/);
  }
  await broker.start();
  await eventually('a publish', () => succeeds(queue.publish(messageOf(1))), 30_000);
}, 90_000);

test('F11 while the broker is short of memory publishing is refused at once, consuming goes on, and afterwards all is well', async () => {
  const queue = await engine.connect();
  await Promise.all([...Array(20).keys()].map((n) => queue.publish(messageOf(n))));
  await broker.ctl('set_vm_memory_high_watermark', '0');
  try {
    // The broker tells it to a publisher that tries.
    await expect(queue.publish(messageOf(20))).rejects.toThrow(/blocks publishers/);
    await expect(queue.publish(messageOf(21))).rejects.toThrow(/blocks publishers/);
    expect(await queue.check()).toEqual({ status: 'degraded', detail: 'the broker takes no messages for now' });
    const { seen } = await collect(queue);
    await eventually('what lay there', () => seen.size === 20);
    expect((await queue.depths())[first.queue]?.ready).toBe(0);
  } finally {
    await broker.ctl('set_vm_memory_high_watermark', '0.9');
  }
  await eventually('health', async () => (await queue.check()).status === 'ok');
  await queue.publish(messageOf(22));
}, 60_000);

test('F11 a retry that cannot be written while the broker is short of disk is written later, with its attempt', async () => {
  const queue = await engine.connect();
  const attempts: number[] = [];
  const begun = new Promise<void>((resolve) => {
    void queue.consume(first.queue, {
      prefetch: 1,
      onDelivery: async ({ attempt }) => {
        attempts.push(attempt);
        if (attempts.length > 1) return { kind: 'done' };
        await broker.ctl('set_disk_free_limit', '100000000000000');
        resolve();
        return { kind: 'retry', delay: 1, spendsAttempt: true, reason: 'not yet' };
      },
      onDead: async () => {},
    });
  });
  await queue.publish(messageOf(1));
  await begun;
  try {
    await eventually('the block', async () => (await queue.check()).status === 'degraded');
    expect(attempts).toEqual([0]);
  } finally {
    await broker.ctl('set_disk_free_limit', '1000000');
  }
  await eventually('the retry', () => attempts.length === 2, 20_000);
  expect(attempts).toEqual([0, 1]);
}, 60_000);

test('F12 a full queue refuses the message as unavailable, and takes it when there is room', async () => {
  const queue = await engine.connect();
  const limit = ['set_policy', '-p', engine.host, 'full', '^suite.first$', '{"max-length":10}', '--apply-to', 'queues'];
  await broker.ctl(...limit);
  const fill = async () => {
    for (let n = 0; n < 500; n += 1) await queue.publish(messageOf(n));
  };
  await eventually(
    'a refusal',
    () =>
      fill().then(
        () => false,
        (error) => error instanceof QueueUnavailableError,
      ),
    20_000,
  );
  await expect(queue.publish(messageOf(1_000))).rejects.toThrow(/not taken by the broker/);
  const { seen } = await collect(queue);
  await eventually('room', () => succeeds(queue.publish(messageOf(1_001))));
  await eventually('the delivery', () => seen.has(1_001));
}, 60_000);

test('P1 an exchange that is deleted closes the channel: publishing is refused, then everything is built again', async () => {
  const queue = await engine.connect();
  const connection = await connect(engine.url);
  await (await connection.createChannel()).deleteExchange('latchkey.events');
  await connection.close();
  await expect(queue.publish(messageOf(1))).rejects.toBeInstanceOf(QueueUnavailableError);
  await eventually('a publish', () => succeeds(queue.publish(messageOf(2))));
});

test('F13 a binding that is deleted makes the event unroutable, once: the topology is asserted again', async () => {
  const queue = await engine.connect();
  const connection = await connect(engine.url);
  await (await connection.createChannel()).unbindQueue(
    'suite.other',
    'latchkey.events',
    suiteBindings.other.event.name,
  );
  await connection.close();
  const message = messageOf(1, suiteBindings.other.event.name);
  await expect(queue.publish(message)).rejects.toBeInstanceOf(UnroutableError);
  await eventually('a publish', () => succeeds(queue.publish(message)));
  expect((await queue.depths())['suite.other']?.ready).toBe(1);
});

test('F13 a binding that is deleted beside another one, which nobody is told of, comes back by itself', async () => {
  const queue = await engine.connect({ repairSeconds: 0.2 });
  const connection = await connect(engine.url);
  await (await connection.createChannel()).unbindQueue('suite.second', 'latchkey.events', first.event.name);
  await connection.close();
  await eventually('both queues have a message', async () => {
    await queue.publish(messageOf(1));
    return ((await queue.depths())['suite.second']?.ready ?? 0) > 0;
  });
});

test('F32 ten thousand messages in one burst: bounded memory, at most 500 unconfirmed, all handled once', async () => {
  const publisher = await engine.connect({ publishDeadlineMs: 60_000 });
  const consumer = await engine.connect();
  const { seen, count } = await collect(consumer, 50);
  const before = process.memoryUsage().rss;
  const publishes = Promise.all([...Array(10_000).keys()].map((n) => publisher.publish(messageOf(n))));
  await eventually(
    'all of them',
    () => {
      expect(publisher.unconfirmed).toBeLessThanOrEqual(500);
      return seen.size === 10_000;
    },
    60_000,
  );
  await publishes;
  expect(count()).toBe(10_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
}, 90_000);

test('F6 a consumer that stops under load leaves nothing to be delivered twice', async () => {
  const publisher = await engine.connect();
  const stopping = await engine.connect();
  await Promise.all([...Array(1_000).keys()].map((n) => publisher.publish(messageOf(n))));
  const early = await collect(stopping, 10);
  await eventually('the middle', () => early.seen.size > 300);
  await stopping.stop();
  const late: number[] = [];
  const redelivered: number[] = [];
  const next = await engine.connect();
  await next.consume(first.queue, {
    prefetch: 10,
    onDelivery: async (delivery) => {
      if (delivery.deliveries > 1) redelivered.push(parse(delivery).payload.n);
      late.push(parse(delivery).payload.n);
      return { kind: 'done' };
    },
    onDead: async () => {},
  });
  await eventually('the rest', () => early.seen.size + late.length >= 1_000, 20_000);
  expect(late.filter((n) => early.seen.has(n))).toEqual([]);
  expect(redelivered).toEqual([]);
}, 60_000);
