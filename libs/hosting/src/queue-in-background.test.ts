import { type MessageQueue, QueueUnavailableError } from '@latchkey/messaging';
import { eventually, FakeQueue, someMessage } from '@latchkey/tests';
import { queueInBackground } from './queue-in-background.js';

let connect: () => void;
let fail: (error: Error) => void;
let inner: MessageQueue & { consumed: string[] };
beforeEach(() => {
  const connected = new Promise<void>((resolve, reject) => {
    connect = resolve;
    fail = reject;
  });
  const consumed: string[] = [];
  inner = Object.assign(new FakeQueue(), {
    consumed,
    start: () => connected,
    stop: async () => fail(new Error('stopped')),
    consume: async (queue: string) => {
      consumed.push(queue);
      return { stop: async () => void consumed.splice(consumed.indexOf(queue), 1) };
    },
  });
});

test('F17 F8 nobody waits for a broker that is away; what is published then is refused, so that it stays pending', async () => {
  const queue = queueInBackground(inner);
  await queue.start();
  await expect(queue.publish(someMessage())).rejects.toThrow(QueueUnavailableError);
  expect((await queue.check()).status).toBe('down');
  await queue.stop();
});

test('subscriptions begin once the broker is there', async () => {
  const queue = queueInBackground(inner);
  const options = { prefetch: 1, onDelivery: async () => ({ kind: 'done' }) as const, onDead: async () => undefined };
  await queue.start();
  await queue.consume('auth.invite', options);
  expect(inner.consumed).toEqual([]);
  connect();
  await eventually('the subscription', () => inner.consumed.length > 0);
  await queue.consume('mailer.send-receipt', options);
  expect(inner.consumed).toEqual(['auth.invite', 'mailer.send-receipt']);
  expect((await queue.check()).status).toBe('ok');
  await queue.publish(someMessage());
});

test('F6 a subscription can be ended before it has begun, and after', async () => {
  const queue = queueInBackground(inner);
  const options = { prefetch: 1, onDelivery: async () => ({ kind: 'done' }) as const, onDead: async () => undefined };
  await queue.start();
  const early = await queue.consume('auth.invite', options);
  const late = await queue.consume('mailer.send-receipt', options);
  await early.stop();
  connect();
  await eventually('the subscription', () => inner.consumed.length > 0);
  expect(inner.consumed).toEqual(['mailer.send-receipt']);
  await late.stop();
  expect(inner.consumed).toEqual([]);
});

test('a stop ends a start that waits', async () => {
  const queue = queueInBackground(inner);
  await queue.start();
  await expect(queue.stop()).resolves.toBeUndefined();
});
