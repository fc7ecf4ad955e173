import { defineEvent, type Message } from '@latchkey/contracts';
import { createLogger, Problem } from '@latchkey/kit';
import { someMessage } from '@latchkey/tests';
import { z } from 'zod';
import { type HandleDeps, handleDelivery } from './handle-delivery.js';
import type { Delivery } from './port.js';
import { FinalError, subscribe, UnavailableError } from './subscription.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const happened = defineEvent('test.happened.v1', z.object({ n: z.int() }));
const binding = { queue: 'test.queue', event: happened };

let lines: string[];
let deps: HandleDeps;
beforeEach(() => {
  lines = [];
  const destination = { write: (line: string) => void lines.push(line) };
  deps = {
    clock: { now: () => NOW },
    logger: createLogger({ service: 'test', level: 'debug', destination }),
    random: () => 0.5,
    handlerLimitMs: 60_000,
    isUnavailable: () => false,
  };
});

function deliver(
  handle: (message: Message<{ n: number }>) => Promise<void>,
  more: Partial<Delivery> & { message?: object; body?: Uint8Array } = {},
) {
  const { message = someMessage(), body = Buffer.from(JSON.stringify(message)), ...delivery } = more;
  const subscription = subscribe(binding, handle, { maxAttempts: 10 });
  return handleDelivery(subscription, { queue: 'test.queue', body, attempt: 0, deliveries: 1, ...delivery }, deps);
}

const failing = (error: unknown) => async () => {
  throw error;
};

test('a handled message is done, and its handler saw the parsed payload', async () => {
  let seen: unknown;
  const outcome = await deliver(
    async ({ id, payload }) => {
      seen = [id, payload];
    },
    { message: someMessage({ payload: { n: 1, fromALaterVersion: true } }) },
  );
  expect(outcome).toEqual({ kind: 'done' });
  expect(seen).toEqual(['event-1', { n: 1 }]);
});

test.each([
  ['no JSON', Buffer.from('{'), 'not JSON'],
  ['no UTF-8', Buffer.from([0xff]), 'not JSON'],
  ['no message', Buffer.from('[]'), 'not a message'],
  [
    'another event',
    Buffer.from(JSON.stringify(someMessage({ name: 'test.happened.v2' }))),
    'unknown event: test.happened.v2',
  ],
  ['a wrong payload', Buffer.from(JSON.stringify(someMessage({ payload: { n: 'x' } }))), 'payload: n:'],
  ['a megabyte', Buffer.from(JSON.stringify({ ...someMessage(), more: 'x'.repeat(1_048_576) })), 'too large'],
])('F24 a poisonous message is dead at once: %s', async (_name, body, reason) => {
  const handle = jest.fn(async () => {});
  const outcome = await deliver(handle, { body });
  expect(outcome).toEqual({ kind: 'dead', reason: expect.stringContaining(reason) });
  expect(handle).not.toHaveBeenCalled();
});

test('S12 the reason of a poisonous message shows no value of it', async () => {
  const outcome = await deliver(async () => {}, { message: someMessage({ payload: { n: 's3cret' } }) });
  expect(JSON.stringify(outcome)).not.toContain('s3cret');
  expect(lines.join('')).not.toContain('s3cret');
});

test.each([
  [0, 1],
  [1, 5],
  [2, 15],
])(
  'a handler that throws is tried again later and spends an attempt: after %d attempts, in %d s',
  async (attempt, delay) => {
    const outcome = await deliver(failing(new Error('no')), { attempt });
    expect(outcome).toEqual({ kind: 'retry', delay, spendsAttempt: true, reason: 'Error: no' });
  },
);

test('F24 when its attempts are spent it is dead, with the last reason', async () => {
  const outcome = await deliver(failing(new Error('no')), { attempt: 9 });
  expect(outcome).toEqual({ kind: 'dead', reason: 'attempts spent: Error: no' });
});

test('an error marked final is dead at once', async () => {
  expect(await deliver(failing(new FinalError('never')))).toEqual({ kind: 'dead', reason: 'FinalError: never' });
});

test.each([
  ['UnavailableError', new UnavailableError('away')],
  ['a 503', new Problem('service-unavailable')],
  ['an overloaded neighbour', new Problem('overloaded')],
  ['what the persistence layer marks', Object.assign(new Error('x'), { name: 'MongoNetworkError' })],
])('F15 what is away spends no attempt, not even the last one: %s', async (_name, error) => {
  deps = { ...deps, isUnavailable: (thrown) => (thrown as Error).name === 'MongoNetworkError' };
  const outcome = await deliver(failing(error), { attempt: 9, deliveries: 500 });
  expect(outcome).toMatchObject({ kind: 'retry', spendsAttempt: false });
  expect((outcome as { delay: number }).delay).toBeLessThanOrEqual(10);
});

test('O11 past its notAfter a message is done without its handler', async () => {
  const handle = jest.fn(async () => {});
  const outcome = await deliver(handle, { message: someMessage({ notAfter: '2026-01-01T00:00:00.000Z' }) });
  expect(outcome).toEqual({ kind: 'done' });
  expect(handle).not.toHaveBeenCalled();
  expect(lines.join('')).toContain('outlived');
});

test.each([
  ['spending an attempt', new Error('no')],
  ['spending none', new UnavailableError('no')],
])('O11 when the next try would come too late it is dead as expired: %s', async (_name, error) => {
  const outcome = await deliver(failing(error), { message: someMessage({ notAfter: '2026-01-01T00:00:01.000Z' }) });
  expect(outcome).toEqual({ kind: 'dead', reason: expect.stringMatching(/^expired: /) });
});

test('F24 a handler that never ends is stopped waiting for, and tried again', async () => {
  deps = { ...deps, handlerLimitMs: 10 };
  const outcome = await deliver(() => new Promise(() => {}));
  expect(outcome).toMatchObject({ kind: 'retry', spendsAttempt: true, reason: 'Error: not handled within 10 ms' });
});

test('the log names the event and the request it began with', async () => {
  await deliver(failing(new Error('no')));
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged).toContainEqual(
    expect.objectContaining({ eventId: 'event-1', correlationId: 'request-1', queue: 'test.queue' }),
  );
});
