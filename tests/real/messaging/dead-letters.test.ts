// The dead queue is away, dead letters are replayed, and the processes around them die.
import type { DeadDelivery, Outcome } from '@latchkey/messaging';
import { connect } from 'amqplib';
import { messageOf, parse, suiteBindings } from '../../contract/messaging/messaging.suite';
import { eventually } from '../../support/eventually';
import { RabbitBroker } from '../../support/rabbitmq';
import { openRabbitEngine, type RabbitEngine } from './rabbitmq-engine';

// Of hooks too: a busy broker takes its time to remove a virtual host.
jest.setTimeout(120_000);

const { first } = suiteBindings;
const deadQueue = `${first.queue}.dead`;
let broker: RabbitBroker;
let engine: RabbitEngine;
beforeAll(async () => {
  broker = await RabbitBroker.start();
  // Three minutes by default: how long the broker waits before it offers a dead letter to an absent queue again.
  await broker.evaluate('application:set_env(rabbit, dead_letter_worker_publisher_confirm_timeout, 1000).');
}, 120_000);
beforeEach(async () => {
  engine = await openRabbitEngine(broker);
});
afterEach(() => engine.dispose());
afterAll(() => broker?.dispose());

async function deleteDeadQueue(): Promise<void> {
  const connection = await connect(engine.url);
  await (await connection.createChannel()).deleteQueue(deadQueue);
  await connection.close();
}

test('F25 while the dead queue is away a dying message stays with its consumer; it dies in order when the queue is back', async () => {
  const queue = await engine.connect({ repairSeconds: 3_600 });
  const dead: DeadDelivery[] = [];
  let deliveries = 0;
  await queue.consume(first.queue, {
    prefetch: 5,
    onDelivery: async (): Promise<Outcome> => {
      deliveries += 1;
      // Just before its outcome is written.
      if (deliveries === 1) await deleteDeadQueue();
      return { kind: 'dead', reason: 'broken for good' };
    },
    onDead: async (delivery) => {
      dead.push(delivery);
    },
  });
  await Promise.all([1, 2, 3].map((n) => queue.publish(messageOf(n))));
  await eventually('all three', () => dead.length >= 3, 30_000);
  expect(new Set(dead.map((delivery) => parse(delivery).payload.n))).toEqual(new Set([1, 2, 3]));
  expect(new Set(dead.map(({ reason }) => reason))).toEqual(new Set(['broken for good']));
  expect((await queue.depths())[first.queue]).toEqual({ ready: 0, delayed: 0, dead: 0 });
}, 60_000);

test('F25 P11 what the broker itself sets aside while the dead queue is away is kept by it, and handed over later with the reason', async () => {
  const publisher = await engine.connect({ repairSeconds: 3_600 });
  await publisher.publish(messageOf(1));
  await deleteDeadQueue();
  // Consumers of nobody's, each of which dies over it, until the broker has had enough (delivery limit).
  const connection = await connect(engine.url);
  for (let deaths = 0; deaths < 11; deaths += 1) {
    const channel = await connection.createChannel();
    await channel.prefetch(1);
    await new Promise<void>((resolve) => {
      void channel.consume(first.queue, () => resolve());
    });
    await channel.close();
  }
  await connection.close();
  const dead: DeadDelivery[] = [];
  const next = await engine.connect();
  await next.consume(first.queue, {
    prefetch: 1,
    onDelivery: async () => {
      throw new Error('it should not be offered any more');
    },
    onDead: async (delivery) => {
      dead.push(delivery);
    },
  });
  await eventually('the takeover', () => dead.length === 1, 60_000);
  expect(parse(dead[0] as DeadDelivery).payload.n).toBe(1);
  expect(dead[0]?.reason).toMatch(/delivery limit/);
}, 120_000);

test('F25 a dead letter that is replayed twice has its effect once, in its own queue only', async () => {
  const queue = await engine.connect();
  const effects = new Set<string>();
  let broken = true;
  let handled = 0;
  let elsewhere = 0;
  const dead: DeadDelivery[] = [];
  await queue.consume(first.queue, {
    prefetch: 1,
    onDelivery: async (delivery): Promise<Outcome> => {
      if (broken) return { kind: 'dead', reason: 'a bug' };
      handled += 1;
      effects.add(parse(delivery).id);
      return { kind: 'done' };
    },
    onDead: async (delivery) => {
      dead.push(delivery);
    },
  });
  await queue.consume(suiteBindings.second.queue, {
    prefetch: 1,
    onDelivery: async (): Promise<Outcome> => {
      elsewhere += 1;
      return { kind: 'done' };
    },
    onDead: async () => {},
  });
  await queue.publish(messageOf(1));
  await eventually('its death', () => dead.length === 1 && elsewhere === 1);
  broken = false;
  const message = parse(dead[0] as DeadDelivery);
  await Promise.all([queue.redeliver(first.queue, message), queue.redeliver(first.queue, message)]);
  await eventually('both', () => handled === 2);
  // Handlers know a duplicate by the event's id, which a replay keeps.
  expect([...effects]).toEqual([message.id]);
  expect(elsewhere).toBe(1);
  expect(dead).toHaveLength(1);
});
