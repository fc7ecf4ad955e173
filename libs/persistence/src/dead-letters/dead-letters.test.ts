import type { Message } from '@latchkey/contracts';
import { type CallContext, Problem } from '@latchkey/kit';
import { type DeadDelivery, type MessageQueue, QueueUnavailableError } from '@latchkey/messaging';
import { someMessage } from '@latchkey/tests';
import { type Bench, openBench } from '../testing/accounts.js';
import { createDeadLetters, type DeadLetters } from './create-dead-letters.js';

const DAY = 86_400_000;
let bench: Bench;
let deadLetters: DeadLetters;
let redelivered: { queue: string; message: Message }[];
let away: boolean;

beforeEach(async () => {
  bench = await openBench();
  redelivered = [];
  away = false;
  const queue = {
    async redeliver(name: string, message: Message) {
      if (away) throw new QueueUnavailableError('away');
      redelivered.push({ queue: name, message });
    },
  } as MessageQueue;
  const { connection, clock } = bench;
  deadLetters = createDeadLetters({ connection, service: 'mailer', queue, clock, retentionDays: 30 });
  await deadLetters.init();
});
afterEach(() => bench.close());

function dead(message: unknown, more: Partial<DeadDelivery> = {}): DeadDelivery {
  const body = message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message));
  return { queue: 'mailer.send', body, reason: 'broken', attempts: 10, diedAt: new Date(bench.clock.now()), ...more };
}

// biome-ignore lint/suspicious/noExplicitAny: a route's input is typed at its endpoint; the tests look at the answer's shape.
type Handle = (input: object, context: CallContext) => Promise<any>;

const admin: CallContext = {
  requestId: 'request',
  deadline: Number.MAX_SAFE_INTEGER,
  principal: { userId: 1, role: 'admin', sessionId: null },
  client: { address: 'test', userAgent: null, languages: null },
};

function call(name: 'list' | 'show' | 'replay', input: object, context = admin): ReturnType<Handle> {
  const [list, show, replay] = deadLetters.routes.map(({ handler }) => handler) as unknown as [Handle, Handle, Handle];
  return { list, show, replay }[name](input, context);
}

test('F24 a dead letter is listed with its reason, event and request id', async () => {
  await deadLetters.store(dead(someMessage()));
  expect(await call('list', { query: { limit: 50 } })).toEqual({
    dead_letters: [
      {
        id: 'mailer.send:event-1',
        service: 'mailer',
        queue: 'mailer.send',
        event: 'test.happened.v1',
        reason: 'broken',
        attempts: 10,
        died_at: '2026-01-01T00:00:00.000Z',
        replayed_at: null,
        request_id: 'request-1',
      },
    ],
    next: null,
  });
  expect(await deadLetters.open()).toBe(1);
});

test('storing one twice is one dead letter', async () => {
  const delivery = dead(someMessage());
  await deadLetters.store(delivery);
  await deadLetters.store(delivery);
  expect((await call('list', { query: { limit: 50 } })).dead_letters).toHaveLength(1);
});

test('the list is newest first, page after page, also within one millisecond', async () => {
  for (let n = 0; n < 7; n += 1) {
    await deadLetters.store(dead(someMessage({ id: `event-${n}` })));
    if (n >= 3) bench.clock.turn(1_000);
  }
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await call('list', { query: { limit: 2, after } });
    expect(page.dead_letters.length).toBeLessThanOrEqual(2);
    seen.push(...page.dead_letters.map(({ id }: { id: string }) => id.slice(-1)));
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0']);
});

test('the list can be asked for what one request led to', async () => {
  await deadLetters.store(dead(someMessage()));
  const { correlationId } = someMessage();
  expect((await call('list', { query: { limit: 50, request_id: correlationId } })).dead_letters).toHaveLength(1);
  expect((await call('list', { query: { limit: 50, request_id: 'another-request' } })).dead_letters).toEqual([]);
});

test.each(['nonsense', Buffer.from('x y').toString('base64url'), ''])(
  'a cursor of our own making is refused: %p',
  async (after) => {
    await expect(call('list', { query: { limit: 2, after } })).rejects.toMatchObject({ code: 'validation-failed' });
  },
);

test('F25 a replay puts the message back once, however often it is asked for', async () => {
  const message = someMessage();
  await deadLetters.store(dead(message));
  await call('replay', { params: { id: 'mailer.send:event-1' } });
  await call('replay', { params: { id: 'mailer.send:event-1' } });
  expect(redelivered).toEqual([{ queue: 'mailer.send', message }]);
  const { dead_letter } = await call('show', { params: { id: 'mailer.send:event-1' } });
  expect(dead_letter.replayed_at).toBe('2026-01-01T00:00:00.000Z');
  expect(await deadLetters.open()).toBe(0);
});

test('F25 one that dies again after its replay is open again and can be replayed again', async () => {
  await deadLetters.store(dead(someMessage()));
  await call('replay', { params: { id: 'mailer.send:event-1' } });
  bench.clock.turn(1_000);
  await deadLetters.store(dead(someMessage(), { reason: 'still broken' }));
  const { dead_letter } = await call('show', { params: { id: 'mailer.send:event-1' } });
  expect(dead_letter).toMatchObject({ reason: 'still broken', replayed_at: null });
  await call('replay', { params: { id: 'mailer.send:event-1' } });
  expect(redelivered).toHaveLength(2);
});

test('F25 while the queue is away a replay is refused with a 503 and nothing is marked', async () => {
  await deadLetters.store(dead(someMessage()));
  away = true;
  const replay = () => call('replay', { params: { id: 'mailer.send:event-1' } });
  await expect(replay()).rejects.toMatchObject({ code: 'service-unavailable' });
  away = false;
  await replay();
  expect(redelivered).toHaveLength(1);
});

test.each([
  ['bytes that are no JSON', Buffer.from([0xff, 0x00, 0x7b])],
  ['a megabyte', Buffer.alloc(1_048_576, 0x61)],
  ['JSON that is no message', { hello: 'world' }],
])('F24 what cannot be read is kept and cannot be replayed: %s', async (_name, body) => {
  await deadLetters.store(dead(body, { reason: 'unparseable' }));
  const { dead_letters } = await call('list', { query: { limit: 50 } });
  expect(dead_letters).toEqual([expect.objectContaining({ event: null, request_id: null, reason: 'unparseable' })]);
  expect(dead_letters[0].id.length).toBeLessThanOrEqual(200);
  await expect(call('replay', { params: { id: dead_letters[0].id } })).rejects.toMatchObject({
    code: 'not-replayable',
  });
});

test('O11 what has outlived its meaning cannot be replayed', async () => {
  const notAfter = new Date(bench.clock.now() + 1_000).toISOString();
  await deadLetters.store(dead(someMessage({ notAfter })));
  bench.clock.turn(1_000);
  const replay = call('replay', { params: { id: 'mailer.send:event-1' } });
  await expect(replay).rejects.toMatchObject({ code: 'not-replayable' });
});

test('an unknown id is not found', async () => {
  await expect(call('show', { params: { id: 'nothing' } })).rejects.toMatchObject({ code: 'not-found' });
  await expect(call('replay', { params: { id: 'nothing' } })).rejects.toMatchObject({ code: 'not-found' });
});

test('dead letters are for admins, whatever the gateway let through', async () => {
  const member = { ...admin, principal: { userId: 2, role: 'member' as const, sessionId: null } };
  for (const name of ['list', 'show', 'replay'] as const) {
    const input = { query: { limit: 1 }, params: { id: 'x' } };
    await expect(call(name, input, member)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(call(name, input, { ...admin, principal: null })).rejects.toMatchObject({ code: 'session-required' });
  }
});

test('a dead letter expires after the retention', async () => {
  await deadLetters.store(dead(someMessage()));
  const stored = await bench.connection.collection('dead_letters').findOne({ _id: 'mailer.send:event-1' as never });
  expect(stored?.expiresAt).toEqual(new Date(bench.clock.now() + 30 * DAY));
});

test('a database that is away is a 503', async () => {
  await bench.connection.close();
  await expect(call('list', { query: { limit: 1 } })).rejects.toBeInstanceOf(Problem);
});
