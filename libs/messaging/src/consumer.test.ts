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

async function consuming(handle: () => Promise<void>) {
  const consumed = new Map<string, ConsumeOptions>();
  const stored: DeadDelivery[] = [];
  const metrics = createMetrics('test');
  const queue = {
    async consume(name: string, options: ConsumeOptions) {
      if (consumed.has(name)) throw new Error('consumed twice');
      consumed.set(name, options);
      return { stop: async () => void consumed.delete(name) };
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
  });
  await consumer.start();
  return { consumer, consumed, options: consumed.get('test.queue') as ConsumeOptions, stored, metrics, queue };
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

test('F6 a stop ends the consumption of each queue; another start begins it anew, and a second one changes nothing', async () => {
  const { consumer, consumed } = await consuming(async () => {});
  await consumer.stop();
  expect([...consumed.keys()]).toEqual([]);
  await consumer.stop();
  await consumer.start();
  await consumer.start();
  expect([...consumed.keys()]).toEqual(['test.queue']);
});

test('what begins only after the stop is ended at once', async () => {
  const { consumer, consumed } = await consuming(async () => {});
  await consumer.stop();
  const starting = consumer.start();
  await consumer.stop();
  await starting;
  expect([...consumed.keys()]).toEqual([]);
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
