// The network between us and the broker: a proxy that resets, swallows, cuts and delays.
import { type AmqpQueue, QueueUnavailableError } from '@latchkey/messaging';
import { messageOf } from '../../contract/messaging/messaging.suite';
import { eventually } from '../../support/eventually';
import { FaultProxy } from '../../support/fault-proxy';
import { RabbitBroker } from '../../support/rabbitmq';
import { openRabbitEngine, type RabbitEngine } from './rabbitmq-engine';
import { collect, isFull, Load } from './traffic';

// Of hooks too: a busy broker takes its time to remove a virtual host.
jest.setTimeout(120_000);

let broker: RabbitBroker;
let engine: RabbitEngine;
let proxy: FaultProxy;
beforeAll(async () => {
  broker = await RabbitBroker.start();
}, 120_000);
beforeEach(async () => {
  engine = await openRabbitEngine(broker);
  proxy = await FaultProxy.to(broker.port);
});
afterEach(async () => {
  proxy.heal();
  await engine.dispose();
  await proxy.stop();
});
afterAll(() => broker?.dispose());

const throughProxy = () => ({ url: engine.url.replace(`:${broker.port}`, `:${proxy.port}`) });

/** Publishes and consumes through the proxy, with two clients, while `fault` happens; everything confirmed must have arrived afterwards. */
async function underLoad(
  fault: (recovery: () => Promise<unknown>, queues: readonly AmqpQueue[]) => Promise<void>,
): Promise<Load> {
  const consumer = await engine.connect({ ...throughProxy(), heartbeatSeconds: 1 });
  const publisher = await engine.connect({ ...throughProxy(), heartbeatSeconds: 1, publishDeadlineMs: 2_000 });
  const { seen } = await collect(consumer);
  const load = new Load(publisher);
  const more = () => {
    const before = load.confirmed.size;
    return eventually('publishing goes on', () => load.confirmed.size > before + 100, 60_000);
  };
  await more();
  await fault(more, [consumer, publisher]);
  await load.stop();
  await eventually('every confirmed message', () => [...load.confirmed].every((n) => seen.has(n)), 60_000);
  return load;
}

test('F10 connections that are reset under load come back and lose no confirmed message', async () => {
  const load = await underLoad(async (recovery) => {
    for (let times = 0; times < (isFull ? 50 : 5); times += 1) {
      proxy.reset();
      await recovery();
    }
  });
  expect(load.refused).toBeGreaterThan(0);
}, 600_000);

test('F10 connections that are cut in the middle of a frame come back and lose no confirmed message', async () => {
  await underLoad(async (recovery) => {
    for (let times = 0; times < (isFull ? 50 : 5); times += 1) {
      proxy.cutAfter(5_000 + 37 * times, times % 2 === 0 ? 'request' : 'reply');
      await eventually('the cut', () => proxy.connections < 4, 60_000);
      proxy.heal();
      await recovery();
    }
  });
}, 600_000);

test.each(['request', 'reply'] as const)(
  'F10 P9 a link that is dead in the direction of the %s alone is noticed by the heartbeat',
  async (direction) => {
    await underLoad(async (recovery, queues) => {
      proxy.blackhole(direction);
      for (const queue of queues) {
        const noticed = async () => (await queue.check()).detail === 'no connection to the broker';
        await eventually('the end of the connection', noticed, 60_000);
        await expect(queue.publish(messageOf(1_000_000))).rejects.toBeInstanceOf(QueueUnavailableError);
      }
      proxy.heal();
      await recovery();
    });
  },
  300_000,
);
