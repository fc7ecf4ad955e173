import { defineEvent } from '@latchkey/contracts';
import { createLogger, createMetrics } from '@latchkey/kit';
import { someMessage } from '@latchkey/tests';
import { z } from 'zod';
import { createConsumer } from './consumer.js';
import type { ConsumeOptions, DeadDelivery, MessageQueue } from './port.js';
import { subscribe } from './subscription.js';

const happened = defineEvent('test.happened.v1', z.object({ n: z.int() }));
const logger = createLogger({ service: 'test', level: 'silent' });

function delivery(n: unknown) {
  const message = someMessage({ name: happened.name, payload: { n } });
  return { queue: 'test.queue', body: Buffer.from(JSON.stringify(message)), attempt: 0, deliveries: 1 };
}

async function consuming(handle: () => Promise<void>, over: { lastOrdersMs?: number } = {}) {
  const consumed = new Map<string, ConsumeOptions>();
  const stored: DeadDelivery[] = [];
  const metrics = createMetrics('test');
  const queue = {
    async consume(name: string, options: ConsumeOptions) {
      if (consumed.has(name)) throw new Error('consumed twice');
      consumed.set(name, options);
    },
    depths: async () => ({ 'test.queue': { ready: 4, delayed: 2, dead: 1 }, other: { ready: 9, delayed: 9, dead: 9 } }),
  } as Partial<MessageQueue> as MessageQueue;
  const consumer = createConsumer({
    queue,
    subscriptions: [subscribe({ queue: 'test.queue', event: happened }, handle)],
    deadLetters: { store: async (dead) => void stored.push(dead) },
    clock: { now: () => 0 },
    logger,
    prefetch: 3,
    metrics,
    ...over,
  });
  await consumer.start();
  return { consumer, options: consumed.get('test.queue') as ConsumeOptions, stored, metrics, queue };
}

test('each subscription consumes its queue, and what dies is stored', async () => {
  const { options, stored, metrics } = await consuming(async () => {});
  expect(options.prefetch).toBe(3);
  expect(await options.onDelivery(delivery(1))).toEqual({ kind: 'done' });
  expect(await options.onDelivery(delivery('x'))).toMatchObject({ kind: 'dead' });
  const dead = { ...delivery('x'), reason: 'unparseable', attempts: 1, diedAt: new Date(0) };
  await options.onDead(dead);
  expect(stored).toEqual([dead]);
  const text = await metrics.text();
  for (const outcome of ['done', 'dead']) {
    expect(text).toMatch(new RegExp(`latchkey_deliveries_total\\{.*outcome="${outcome}".*\\} 1`));
  }
  expect(text).toMatch(/latchkey_queue_ready\{.*queue="test.queue".*\} 4/);
  expect(text).not.toContain('queue="other"');
});

test('F6 what comes to a service that stops is handled while others are under way, and waited for; then it goes back untouched', async () => {
  const finish: (() => void)[] = [];
  const { consumer, options } = await consuming(() => new Promise<void>((resolve) => finish.push(resolve)));
  const first = options.onDelivery(delivery(1));
  let stopped = false;
  const stop = consumer.stop().then(() => {
    stopped = true;
  });
  const second = options.onDelivery(delivery(2));
  finish[0]?.();
  expect(await first).toEqual({ kind: 'done' });
  expect(stopped).toBe(false);
  finish[1]?.();
  expect(await second).toEqual({ kind: 'done' });
  await stop;
  expect(await options.onDelivery(delivery(3))).toMatchObject({ kind: 'retry', spendsAttempt: false });
  expect(finish).toHaveLength(2);
});

test('F6 stop waits for the handler under way, and what comes after last orders goes back untouched', async () => {
  let finish = () => {};
  let finished = false;
  let calls = 0;
  const handle = async () => {
    calls += 1;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    finished = true;
  };
  const { consumer, options } = await consuming(handle, { lastOrdersMs: 0 });
  const underWay = options.onDelivery(delivery(1));
  const stopped = consumer.stop().then(() => finished);
  const late = await options.onDelivery(delivery(2));
  expect(late).toMatchObject({ kind: 'retry', spendsAttempt: false });
  finish();
  expect(await stopped).toBe(true);
  expect(await underWay).toEqual({ kind: 'done' });
  expect(calls).toBe(1);
});

test('a second start only opens the door again', async () => {
  const { consumer, options } = await consuming(async () => {});
  await consumer.stop();
  await consumer.start();
  expect(await options.onDelivery(delivery(1))).toEqual({ kind: 'done' });
});

test('P11 while the engine is away its depths are left out and the other metrics stay', async () => {
  const { metrics, queue, options } = await consuming(async () => {});
  await options.onDelivery(delivery(1));
  expect(await metrics.text()).toContain('latchkey_queue_ready{');
  queue.depths = async () => {
    throw new Error('away');
  };
  const text = await metrics.text();
  expect(text).not.toContain('latchkey_queue_ready{');
  expect(text).toContain('latchkey_deliveries_total{');
});
