import { randomUUID } from 'node:crypto';
import { defineEvent, type Message, type QueueBinding } from '@latchkey/contracts';
import { createLogger } from '@latchkey/kit';
import {
  createConsumer,
  type DeadDelivery,
  type Delivery,
  type MessageQueue,
  type Outcome,
  subscribe,
  UnroutableError,
} from '@latchkey/messaging';
import { z } from 'zod';
import { eventually } from '../../support/eventually';

/** One engine with empty, durable storage of its own, asserted for `bindings`. */
export interface Engine {
  /** A started queue on that storage, as one process would have it. */
  connect(): Promise<MessageQueue>;
  /** What the engine sees when that process is killed: nothing is acknowledged, nothing is closed. */
  crash(queue: MessageQueue): Promise<void>;
  /** Bytes that no publisher of ours would send. */
  putRaw(queue: string, body: Uint8Array): Promise<void>;
  /** Lets a delay of so many seconds pass, by turning a clock or by waiting. */
  pass(seconds: number): Promise<void>;
  dispose(): Promise<void>;
}

const happened = defineEvent('test.happened.v1', z.object({ n: z.int() }));
const elsewhere = defineEvent('test.elsewhere.v1', z.object({ n: z.int() }));
const unbound = 'test.unbound.v1';

export const suiteBindings = {
  first: { queue: 'suite.first', event: happened },
  second: { queue: 'suite.second', event: happened },
  other: { queue: 'suite.other', event: elsewhere },
} as const satisfies Record<string, QueueBinding>;
const { first, second, other } = suiteBindings;

export function messageOf(n: number, name: string = happened.name): Message {
  return {
    id: randomUUID(),
    name,
    aggregateId: `aggregate-${n}`,
    sequence: n,
    occurredAt: new Date().toISOString(),
    correlationId: `request-${n}`,
    payload: { n },
  };
}

export function parse(delivery: { readonly body: Uint8Array }): Message<{ n: number }> {
  return JSON.parse(Buffer.from(delivery.body).toString()) as Message<{ n: number }>;
}

/** Of all queues together: an engine may let the delayed ones of several queues wait in one place. */
async function delayed(queue: MessageQueue): Promise<number> {
  return Object.values(await queue.depths()).reduce((sum, depth) => sum + depth.delayed, 0);
}

const done: Outcome = { kind: 'done' };
const logger = createLogger({ service: 'suite', level: 'silent' });
const noDead = async (dead: DeadDelivery) => {
  throw new Error(`unexpected dead delivery: ${dead.reason}`);
};

/** The promises of `MessageQueue`, for any engine. */
export function describeMessaging(name: string, open: () => Promise<Engine>): void {
  describe(`messaging on ${name}`, () => {
    let engine: Engine;
    beforeEach(async () => {
      engine = await open();
    });
    afterEach(() => engine.dispose());

    test('a message reaches every queue that is bound to its event, and no other', async () => {
      const queue = await engine.connect();
      const seen: string[] = [];
      for (const binding of [first, second, other]) {
        const onDelivery = async (delivery: Delivery) => {
          seen.push(`${delivery.queue} ${parse(delivery).payload.n}`);
          return done;
        };
        await queue.consume(binding.queue, { prefetch: 5, onDelivery, onDead: noDead });
      }
      await queue.publish(messageOf(1));
      await queue.publish(messageOf(2, elsewhere.name));
      await eventually('three deliveries', () => seen.length === 3);
      expect(seen.sort()).toEqual(['suite.first 1', 'suite.other 2', 'suite.second 1']);
    });

    test('the body arrives as it was published', async () => {
      const queue = await engine.connect();
      const received: unknown[] = [];
      await queue.consume(first.queue, {
        prefetch: 1,
        onDelivery: async (delivery) => {
          received.push(parse(delivery), delivery.attempt, delivery.deliveries);
          return done;
        },
        onDead: noDead,
      });
      const message = { ...messageOf(1), notAfter: '2999-01-01T00:00:00.000Z' };
      await queue.publish(message);
      await eventually('a delivery', () => received.length === 3);
      expect(received).toEqual([message, 0, 1]);
    });

    test('F13 publishing an event that no queue is bound to is refused as unroutable', async () => {
      const queue = await engine.connect();
      await expect(queue.publish(messageOf(1, unbound))).rejects.toBeInstanceOf(UnroutableError);
    });

    test('F8 what publish resolved for is there after every process was killed', async () => {
      const publisher = await engine.connect();
      await Promise.all([...Array(50).keys()].map((n) => publisher.publish(messageOf(n))));
      await engine.crash(publisher);

      const seen = new Set<number>();
      const consumer = await engine.connect();
      await consumer.consume(first.queue, {
        prefetch: 10,
        onDelivery: async (delivery) => {
          seen.add(parse(delivery).payload.n);
          return done;
        },
        onDead: noDead,
      });
      await eventually('all of them', () => seen.size === 50);
    });

    test('F31 a delivery whose consumer died before its outcome is offered again within 10 s', async () => {
      const dying = await engine.connect();
      await dying.publish(messageOf(1));
      const begun = new Promise<void>((resolve) => {
        void dying.consume(first.queue, {
          prefetch: 1,
          onDelivery: () => {
            resolve();
            return new Promise<Outcome>(() => {});
          },
          onDead: noDead,
        });
      });
      await begun;
      await engine.crash(dying);

      const next = await engine.connect();
      const seen: Delivery[] = [];
      await next.consume(first.queue, {
        prefetch: 1,
        onDelivery: async (delivery) => {
          seen.push(delivery);
          return done;
        },
        onDead: noDead,
      });
      await eventually('the redelivery', () => seen.length === 1, 10_000);
      expect(seen[0]).toMatchObject({ attempt: 0, deliveries: 2 });
    }, 20_000);

    test('a retry comes back after its delay, not before, and counts the attempt', async () => {
      const queue = await engine.connect();
      const attempts: number[] = [];
      let overtaken = false;
      const onDelivery = async (delivery: Delivery): Promise<Outcome> => {
        if (parse(delivery).payload.n === 2) {
          overtaken = true;
          return done;
        }
        attempts.push(delivery.attempt);
        return attempts.length < 3 ? { kind: 'retry', delay: 5, spendsAttempt: true, reason: 'not yet' } : done;
      };
      await queue.consume(first.queue, { prefetch: 1, onDelivery, onDead: noDead });
      await queue.publish(messageOf(1));
      await eventually('the first attempt', () => attempts.length === 1);
      await eventually('it waits', async () => (await delayed(queue)) === 1);
      // A second message that overtakes shows that the queue was looked at while the first waited.
      await queue.publish(messageOf(2));
      await eventually('the second message', () => overtaken);
      expect(attempts).toEqual([0]);
      await engine.pass(5);
      await eventually('the second attempt', () => attempts.length === 2);
      await eventually('it waits again', async () => (await delayed(queue)) === 1);
      await engine.pass(5);
      await eventually('the third attempt', () => attempts.length === 3);
      expect(attempts).toEqual([0, 1, 2]);
    });

    test('a retry that spends no attempt leaves the count, but is counted as a delivery', async () => {
      const queue = await engine.connect();
      const seen: Pick<Delivery, 'attempt' | 'deliveries'>[] = [];
      const onDelivery = async ({ attempt, deliveries }: Delivery): Promise<Outcome> => {
        seen.push({ attempt, deliveries });
        return seen.length < 3 ? { kind: 'retry', delay: 1, spendsAttempt: false, reason: 'database away' } : done;
      };
      await queue.consume(first.queue, { prefetch: 1, onDelivery, onDead: noDead });
      await queue.publish(messageOf(1));
      for (const wanted of [2, 3]) {
        await eventually('it waits', async () => (await delayed(queue)) === 1);
        await engine.pass(1);
        await eventually('another delivery', () => seen.length === wanted);
      }
      expect(seen).toEqual([
        { attempt: 0, deliveries: 1 },
        { attempt: 0, deliveries: 2 },
        { attempt: 0, deliveries: 3 },
      ]);
    });

    test('a delay outlives a restart', async () => {
      const before = await engine.connect();
      const tried = new Promise<void>((resolve) => {
        void before.consume(first.queue, {
          prefetch: 1,
          onDelivery: async () => {
            resolve();
            return { kind: 'retry', delay: 5, spendsAttempt: true, reason: 'later' };
          },
          onDead: noDead,
        });
      });
      await before.publish(messageOf(1));
      await tried;
      await eventually('it waits', async () => (await delayed(before)) === 1);
      await before.stop();

      const after = await engine.connect();
      const attempts: number[] = [];
      await after.consume(first.queue, {
        prefetch: 1,
        onDelivery: async ({ attempt }) => {
          attempts.push(attempt);
          return done;
        },
        onDead: noDead,
      });
      expect(await delayed(after)).toBe(1);
      await engine.pass(5);
      await eventually('the retry', () => attempts.length === 1);
      expect(attempts).toEqual([1]);
    });

    test('a dead delivery is handed over with its reason, once', async () => {
      const queue = await engine.connect();
      const dead: DeadDelivery[] = [];
      await queue.consume(first.queue, {
        prefetch: 1,
        onDelivery: async () => ({ kind: 'dead', reason: 'it can never be handled' }),
        onDead: async (delivery) => {
          dead.push(delivery);
        },
      });
      const message = messageOf(1);
      await queue.publish(message);
      await eventually('the dead delivery', () => dead.length === 1);
      expect(dead[0]).toMatchObject({ queue: first.queue, reason: 'it can never be handled', attempts: 1 });
      expect(dead[0]?.diedAt).toBeInstanceOf(Date);
      expect(parse(dead[0] as DeadDelivery)).toEqual(message);
      await eventually('it left', async () => (await queue.depths())[first.queue]?.dead === 0);
      expect(dead).toHaveLength(1);
    });

    test('F25 a dead delivery that nobody can store stays, over a restart, and is offered again', async () => {
      const before = await engine.connect();
      const refused = new Promise<void>((resolve) => {
        void before.consume(first.queue, {
          prefetch: 1,
          onDelivery: async () => ({ kind: 'dead', reason: 'broken' }),
          onDead: async () => {
            resolve();
            throw new Error('the database is away');
          },
        });
      });
      await before.publish(messageOf(7));
      await refused;
      await eventually('it stays', async () => (await before.depths())[first.queue]?.dead === 1);
      await before.stop();

      const after = await engine.connect();
      const dead: DeadDelivery[] = [];
      await after.consume(first.queue, {
        prefetch: 1,
        onDelivery: async () => done,
        onDead: async (delivery) => {
          dead.push(delivery);
        },
      });
      await engine.pass(10);
      await eventually('the takeover', () => dead.length === 1);
      expect(dead[0]?.reason).toBe('broken');
      expect(parse(dead[0] as DeadDelivery).payload.n).toBe(7);
    }, 30_000);

    test('F32 no more deliveries are under way than prefetch says, and as many as it says', async () => {
      const queue = await engine.connect();
      let underWay = 0;
      let most = 0;
      let handled = 0;
      let open: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      await queue.consume(first.queue, {
        prefetch: 4,
        onDelivery: async () => {
          underWay += 1;
          most = Math.max(most, underWay);
          await gate;
          underWay -= 1;
          handled += 1;
          return done;
        },
        onDead: noDead,
      });
      await Promise.all([...Array(20).keys()].map((n) => queue.publish(messageOf(n))));
      await eventually('four under way', () => underWay === 4);
      open();
      await eventually('all of them', () => handled === 20);
      expect(most).toBe(4);
    });

    test('F36 two consumers share one queue: each message is handled once, and both work', async () => {
      const [one, two] = [await engine.connect(), await engine.connect()];
      const seen: number[] = [];
      const workers = new Set<string>();
      for (const [worker, queue] of [
        ['one', one],
        ['two', two],
      ] as const) {
        await queue.consume(first.queue, {
          prefetch: 2,
          onDelivery: async (delivery) => {
            workers.add(worker);
            seen.push(parse(delivery).payload.n);
            // Neither goes on before the other was seen at work, so that one fast consumer cannot empty the queue alone.
            await eventually('both work', () => workers.size === 2);
            return done;
          },
          onDead: noDead,
        });
      }
      await Promise.all([...Array(100).keys()].map((n) => one.publish(messageOf(n))));
      await eventually('a hundred deliveries', () => seen.length >= 100, 20_000);
      await eventually('an empty queue', async () => (await one.depths())[first.queue]?.ready === 0);
      expect(seen.sort((a, b) => a - b)).toEqual([...Array(100).keys()]);
    }, 30_000);

    test('F25 redeliver puts a message into one queue only', async () => {
      const queue = await engine.connect();
      const seen: string[] = [];
      for (const binding of [first, second]) {
        const onDelivery = async (delivery: Delivery) => {
          seen.push(delivery.queue);
          return done;
        };
        await queue.consume(binding.queue, { prefetch: 1, onDelivery, onDead: noDead });
      }
      await queue.redeliver(second.queue, messageOf(1));
      await eventually('the delivery', () => seen.length === 1);
      await queue.publish(messageOf(2));
      await eventually('the next one', () => seen.length === 3);
      expect(seen.filter((name) => name === first.queue)).toHaveLength(1);
    });

    test('F6 stop waits for what is under way, and nothing of it is delivered again', async () => {
      const queue = await engine.connect();
      let handled = 0;
      let underWay = 0;
      await queue.consume(first.queue, {
        prefetch: 3,
        onDelivery: async () => {
          underWay += 1;
          await new Promise((resolve) => setTimeout(resolve, 100));
          handled += 1;
          return done;
        },
        onDead: noDead,
      });
      await Promise.all([1, 2, 3].map((n) => queue.publish(messageOf(n))));
      await eventually('three under way', () => underWay === 3);
      await queue.stop();
      expect(handled).toBe(3);

      const again = await engine.connect();
      expect((await again.depths())[first.queue]).toEqual({ ready: 0, delayed: 0, dead: 0 });
    });

    test('F6 a service that stops while its queue fills finishes what it has and sends nothing back; the queue goes on', async () => {
      const queue = await engine.connect();
      const handled: number[] = [];
      const consumer = createConsumer({
        queue,
        subscriptions: [subscribe(first, async ({ payload }) => void handled.push(payload.n))],
        deadLetters: { store: noDead },
        clock: { now: () => Date.now() },
        logger,
        prefetch: 5,
      });
      await consumer.start();
      // Published while it stops, so that there is always another one to come.
      const publishes = Promise.all([...Array(200).keys()].map((n) => queue.publish(messageOf(n))));
      await eventually('the first of them', () => handled.length > 0);
      await consumer.stop();
      const before = handled.length;
      await publishes;
      await queue.publish(messageOf(200));
      const rest = { ready: 201 - before, delayed: 0, dead: 0 };
      await eventually('the rest in its queue', async () => (await queue.depths())[first.queue]?.ready === rest.ready);
      expect((await queue.depths())[first.queue]).toEqual(rest);
      expect(handled).toHaveLength(before);

      const late: { n: number; deliveries: number }[] = [];
      const onDelivery = async (delivery: Delivery) => {
        late.push({ n: parse(delivery).payload.n, deliveries: delivery.deliveries });
        return done;
      };
      await queue.consume(first.queue, { prefetch: 5, onDelivery, onDead: noDead });
      await eventually('the rest', () => late.length >= rest.ready);
      expect(late.filter(({ deliveries }) => deliveries !== 1)).toEqual([]);
      expect([...handled, ...late.map(({ n }) => n)].sort((a, b) => a - b)).toEqual([...Array(201).keys()]);
    });

    test('a consumer that throws instead of giving an outcome loses nothing', async () => {
      const queue = await engine.connect();
      let calls = 0;
      await queue.consume(first.queue, {
        prefetch: 1,
        onDelivery: async () => {
          calls += 1;
          if (calls === 1) throw new Error('a bug');
          return done;
        },
        onDead: noDead,
      });
      await queue.publish(messageOf(1));
      await eventually('the first', () => calls === 1);
      await eventually('it waits', async () => (await delayed(queue)) === 1);
      await engine.pass(10);
      await eventually('the second', () => calls === 2);
    }, 30_000);

    test('F24 poison among 100 good ones: every good one is handled, every poisonous one is dead with its reason', async () => {
      const queue = await engine.connect();
      const handled = new Set<number>();
      const dead: DeadDelivery[] = [];
      const consumer = createConsumer({
        queue,
        subscriptions: [
          subscribe(
            { queue: first.queue, event: happened },
            async ({ payload }) => {
              if (payload.n === 1_000) throw new Error('this handler always throws');
              handled.add(payload.n);
            },
            { maxAttempts: 1 },
          ),
        ],
        deadLetters: {
          store: async (delivery) => {
            dead.push(delivery);
          },
        },
        clock: { now: () => Date.now() },
        logger,
        prefetch: 10,
      });
      await consumer.start();

      const good = [...Array(100).keys()];
      await Promise.all(good.slice(0, 50).map((n) => queue.publish(messageOf(n))));
      await engine.putRaw(first.queue, Buffer.from('{ this is not JSON'));
      await engine.putRaw(first.queue, Buffer.from([0xff, 0xfe, 0x00]));
      await engine.putRaw(first.queue, Buffer.from(JSON.stringify(messageOf(1, 'test.happened.v99'))));
      await engine.putRaw(
        first.queue,
        Buffer.from(JSON.stringify({ ...messageOf(1), payload: { n: 'x'.repeat(1_048_576) } })),
      );
      await engine.putRaw(first.queue, Buffer.from(JSON.stringify({ ...messageOf(1), payload: { n: 'one' } })));
      await queue.publish(messageOf(1_000));
      await Promise.all(good.slice(50).map((n) => queue.publish(messageOf(n))));

      await eventually('100 good ones and 6 dead ones', () => handled.size === 100 && dead.length === 6, 20_000);
      expect(dead.map(({ reason }) => reason).sort()).toEqual([
        expect.stringMatching(/^attempts spent: Error: this handler always throws/),
        expect.stringMatching(/^unparseable: not JSON/),
        expect.stringMatching(/^unparseable: not JSON/),
        expect.stringMatching(/^unparseable: payload: n: /),
        expect.stringMatching(/^unparseable: too large/),
        expect.stringMatching(/^unparseable: unknown event: test.happened.v99/),
      ]);
      await consumer.stop();
    }, 30_000);

    test('depths name every queue, and check says ok', async () => {
      const queue = await engine.connect();
      await queue.publish(messageOf(1));
      expect(await queue.depths()).toMatchObject({
        [first.queue]: { ready: 1, delayed: 0, dead: 0 },
        [second.queue]: { ready: 1, delayed: 0, dead: 0 },
        [other.queue]: { ready: 0, delayed: 0, dead: 0 },
      });
      expect(await queue.check()).toEqual({ status: 'ok' });
    });
  });
}
