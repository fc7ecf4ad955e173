// What the broker has may be deleted, or be another version's.

import { createLogger } from '@latchkey/kit';
import { type Outcome, openAmqpQueue, UnroutableError } from '@latchkey/messaging';
import { connect } from 'amqplib';
import { messageOf, parse, suiteBindings } from '../../contract/messaging/messaging.suite';
import { eventually } from '../../support/eventually';
import { RabbitBroker } from '../../support/rabbitmq';
import { openRabbitEngine, type RabbitEngine } from './rabbitmq-engine';
import { collect, succeeds } from './traffic';

// Of hooks too: a busy broker takes its time to remove a virtual host.
jest.setTimeout(120_000);

const done: Outcome = { kind: 'done' };
const { first, other } = suiteBindings;
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

type Channel = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['createChannel']>>;

/** As an operator with a tool of his own would. */
async function onBroker(work: (channel: Channel) => Promise<unknown>): Promise<void> {
  const connection = await connect(engine.url);
  try {
    await work(await connection.createChannel());
  } finally {
    await connection.close();
  }
}

test('F13 P8 a queue that is deleted while it is consumed: the cancelled consumer makes it again and goes on', async () => {
  const queue = await engine.connect();
  const { seen } = await collect(queue);
  await queue.publish(messageOf(1));
  await eventually('the first', () => seen.has(1));
  await onBroker((channel) => channel.deleteQueue(first.queue));
  // Bound to a second queue as well, so that nothing is returned while the first one is away: published until it arrives.
  await eventually('a delivery afterwards', async () => {
    await succeeds(queue.publish(messageOf(2)));
    return seen.has(2);
  });
  await eventually('health', async () => (await queue.check()).status === 'ok');
}, 60_000);

test('F13 a queue that is deleted is missed by its publisher, once', async () => {
  const queue = await engine.connect();
  await onBroker((channel) => channel.deleteQueue(other.queue));
  const message = messageOf(1, other.event.name);
  await expect(queue.publish(message)).rejects.toBeInstanceOf(UnroutableError);
  await eventually('a publish', () => succeeds(queue.publish(message)));
  expect((await queue.depths())[other.queue]?.ready).toBe(1);
});

test('F14 a queue that another version declared otherwise ends the start with a clear reason, and is left as it was', async () => {
  await onBroker((channel) =>
    channel.assertQueue(first.queue, { arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 3 } }),
  );
  const queue = engine.open();
  await expect(queue.start()).rejects.toThrow(
    /queue suite\.first exists with other properties than this version declares; empty and delete it.*PRECONDITION_FAILED/,
  );
  const connections = await broker.ctl('list_connections', 'vhost');
  expect(connections.split('\n').filter((line) => line.trim() === engine.host)).toEqual([]);
  // A person has decided.
  await onBroker((channel) => channel.deleteQueue(first.queue));
  await (await engine.connect()).publish(messageOf(1));
});

test("F14 a queue that becomes another version's while we run is told by the health, not by a silent loop", async () => {
  const queue = await engine.connect({ repairSeconds: 0.2 });
  await onBroker(async (channel) => {
    await channel.deleteQueue(other.queue);
    await channel.assertQueue(other.queue, { durable: true });
  }).catch(() => undefined);
  const mismatched = { status: 'down', detail: "the broker's topology is another version's" };
  // Ours may have been quicker with making it again.
  await eventually('the mismatch', async () => {
    if ((await queue.check()).detail === mismatched.detail) return true;
    await onBroker((channel) => channel.deleteQueue(other.queue).then(() => channel.assertQueue(other.queue))).catch(
      () => undefined,
    );
    return false;
  });
  await onBroker((channel) => channel.deleteQueue(other.queue));
  await eventually('health', async () => (await queue.check()).status === 'ok', 20_000);
}, 60_000);

test('P10 every queue is a quorum queue with an explicit delivery limit, and what would leave it by that goes to its dead queue', async () => {
  await engine.connect();
  const said = await broker.ctl(
    'list_queues',
    '-p',
    engine.host,
    'name',
    'type',
    'durable',
    'arguments',
    '--formatter',
    'json',
  );
  const queues = JSON.parse(said) as { name: string; type: string; durable: boolean; arguments: unknown }[];
  expect(queues.length).toBeGreaterThan(20);
  for (const { name, durable, arguments: given } of queues) {
    const text = JSON.stringify(given);
    expect({ name, durable, quorum: text.includes('quorum'), limit: text.includes('x-delivery-limit') }).toEqual({
      name,
      durable: true,
      quorum: true,
      limit: true,
    });
    if (name.startsWith('suite.') && !name.endsWith('.dead')) expect(text).toContain(`${name}.dead`);
  }
});

test('P7 a consumer that throws inside the library neither kills the process nor loses the message', async () => {
  const queue = await engine.connect();
  const seen: number[] = [];
  await queue.consume(first.queue, {
    prefetch: 1,
    // Thrown before there is a promise, unlike a rejection.
    onDelivery: (delivery) => {
      seen.push(parse(delivery).payload.n);
      if (seen.length === 1) throw new Error('a bug');
      return Promise.resolve(done);
    },
    onDead: async () => {},
  });
  await queue.publish(messageOf(1));
  await eventually('the second try', () => seen.length === 2, 30_000);
  expect(seen).toEqual([1, 1]);
}, 60_000);

test('S74 a wrong password does not end the process: the start goes on trying, says so, and shows no password in the log', async () => {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'suite',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const url = engine.url.replace('guest:guest', 'guest:wrong-horse');
  const queue = openAmqpQueue({ url, bindings: suiteBindings, clock: { now: () => Date.now() }, logger });
  const starting = queue.start();
  try {
    await eventually('a refusal', () => lines.some((line) => /ACCESS_REFUSED|403/.test(line)), 20_000);
    expect((await queue.check()).status).toBe('down');
    expect(lines.join('')).not.toContain('wrong-horse');
  } finally {
    await queue.stop();
    await starting;
  }
}, 60_000);
