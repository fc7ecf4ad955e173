// Consumers that die, of a message or beside one.
import type { DeadDelivery, Delivery, Outcome } from '@latchkey/messaging';
import { messageOf, parse, suiteBindings } from '../../contract/messaging/messaging.suite';
import { eventually } from '../../support/eventually';
import { RabbitBroker } from '../../support/rabbitmq';
import { openRabbitEngine, type RabbitEngine } from './rabbitmq-engine';
import { isFull } from './traffic';

// Of hooks too: a busy broker takes its time to remove a virtual host.
jest.setTimeout(120_000);

const done: Outcome = { kind: 'done' };
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

const noDead = async (dead: DeadDelivery) => {
  throw new Error(`unexpected dead delivery: ${dead.reason}`);
};

test('F7 P10 a message that kills its consumer again and again dies alone, with its reason; ten others at a time are handled', async () => {
  const handled = new Set<number>();
  const dead: DeadDelivery[] = [];
  const publisher = await engine.connect();
  await Promise.all([...Array(40).keys()].map((n) => publisher.publish(messageOf(n))));

  for (let lives = 0; dead.length === 0 && lives < 40; lives += 1) {
    const queue = await engine.connect();
    const died = new Promise<'died'>((resolve) => {
      void queue.consume(first.queue, {
        prefetch: 10,
        onDelivery: async (delivery) => {
          const { n } = parse(delivery).payload;
          if (n === 3) {
            void engine.crash(queue);
            resolve('died');
            return new Promise<Outcome>(() => {});
          }
          // The neighbours are still at it when number 3 takes the process down.
          await new Promise((next) => setTimeout(next, 50));
          handled.add(n);
          return done;
        },
        onDead: async (delivery) => {
          dead.push(delivery);
        },
      });
    });
    await Promise.race([died, eventually('a dead delivery', () => dead.length > 0, 60_000)]);
  }
  expect(dead.map((delivery) => parse(delivery).payload.n)).toEqual([3]);
  expect(dead[0]?.reason).toMatch(/its consumer died/);
  await eventually('the neighbours', () => handled.size === 39, 60_000);
  expect(dead).toHaveLength(1);
}, 240_000);

test('F31 a consumer that dies after the effect and before its acknowledgement, again and again: each effect is there, and nothing is lost or dead', async () => {
  const count = isFull ? 100 : 10;
  const effects = new Map<string, number>();
  const publisher = await engine.connect();
  await Promise.all([...Array(count).keys()].map((n) => publisher.publish(messageOf(n))));
  let handled = 0;
  // Every life has its effect on one message and dies; the one after it acknowledges that and does the next one.
  for (let lives = 0; lives < count; lives += 1) {
    const queue = await engine.connect();
    await new Promise<void>((resolve) => {
      void queue.consume(first.queue, {
        prefetch: 1,
        onDelivery: async (delivery: Delivery) => {
          const { id } = parse(delivery);
          const known = effects.has(id);
          effects.set(id, (effects.get(id) ?? 0) + 1);
          if (known) {
            handled += 1;
            return done;
          }
          await engine.crash(queue);
          resolve();
          return new Promise<Outcome>(() => {});
        },
        onDead: noDead,
      });
    });
  }
  const last = await engine.connect();
  await last.consume(first.queue, {
    prefetch: 10,
    onDelivery: async (delivery) => {
      const { id } = parse(delivery);
      effects.set(id, (effects.get(id) ?? 0) + 1);
      handled += 1;
      return done;
    },
    onDead: noDead,
  });
  await eventually('an acknowledgement for each', () => handled >= count, 60_000);
  await eventually('empty queues', async () =>
    Object.entries(await last.depths()).every(([name, { ready, delayed, dead }]) =>
      name === 'suite.second' ? true : ready + delayed + dead === 0,
    ),
  );
  expect(effects.size).toBe(count);
  // Offered once more for its own death, and never after it was acknowledged.
  expect(handled).toBe(count);
  console.log(`F31: ${count} deaths, ${effects.size} effects, ${handled} acknowledged, 0 dead`);
}, 900_000);
