import type { QueueBinding } from '@latchkey/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import { deadQueue, exchange, retryQueue } from '../names.js';
import { openChannel } from './open-channel.js';

/** Consumers that may die over one message before the broker sets it aside. Explicit: the default differs by version and drops what has nowhere to go (P10). */
export const DELIVERY_LIMIT = 10;
/** A dead letter has nowhere further to go: it is never dropped for having been offered often (P10). */
const NO_DELIVERY_LIMIT = 2_147_483_647;

/** Waits there are, in seconds: some neighbours where many messages may fail together, so that they do not come back together; at most four hours. */
export const retrySeconds = [
  1, 4, 5, 6, 8, 9, 10, 12, 15, 18, 50, 60, 70, 250, 300, 350, 900, 1_800, 3_600, 7_200, 14_400,
] as const;

/** The wait nearest to `delay` seconds, by proportion. */
export function nearestRetry(delay: number): number {
  const distance = (step: number) => Math.abs(Math.log(step / Math.max(delay, 0.001)));
  return retrySeconds.reduce<number>((best, step) => (distance(step) < distance(best) ? step : best), 1);
}

/** A queue or exchange is there already, declared otherwise: only a person can say which one is right (F14). */
export class TopologyMismatchError extends Error {
  override readonly name = 'TopologyMismatchError';
}

interface QueueDeclaration {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number>>;
}

/** What leaves the queue is copied before it is removed, and waits there while its target is away (F25). Both need `reject-publish`. */
const leavesSafely = {
  'x-dead-letter-exchange': '',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
} as const;

/** Every queue of the system as it is declared. Changed arguments need a new name or a migration: the broker refuses to change a queue (F14). */
export function queueDeclarations(bindings: readonly QueueBinding[]): QueueDeclaration[] {
  return [
    ...bindings.flatMap(({ queue }) => [
      { name: deadQueue(queue), arguments: { 'x-delivery-limit': NO_DELIVERY_LIMIT } },
      {
        name: queue,
        arguments: {
          ...leavesSafely,
          'x-delivery-limit': DELIVERY_LIMIT,
          'x-dead-letter-routing-key': deadQueue(queue),
        },
      },
    ]),
    // Without a dead-letter routing key of its own, what has waited goes on with the key that it came with: its consumer's queue.
    ...retrySeconds.map((seconds) => ({
      name: retryQueue(seconds),
      arguments: { ...leavesSafely, 'x-delivery-limit': NO_DELIVERY_LIMIT, 'x-message-ttl': seconds * 1_000 },
    })),
  ];
}

/** Asserts exchanges, queues and bindings, whatever of them is there. Throws {@link TopologyMismatchError} on PRECONDITION_FAILED. */
export async function assertTopology(connection: ChannelModel, bindings: readonly QueueBinding[]): Promise<void> {
  const channel = await openChannel(connection);
  try {
    await refusable(`exchange ${exchange}`, () => channel.assertExchange(exchange, 'topic', { durable: true }));
    for (const declaration of queueDeclarations(bindings)) await assertQueue(channel, declaration);
    for (const seconds of retrySeconds) {
      const name = retryQueue(seconds);
      await refusable(`exchange ${name}`, () => channel.assertExchange(name, 'fanout', { durable: true }));
      await channel.bindQueue(name, name, '');
    }
    for (const { queue, event } of bindings) await channel.bindQueue(queue, exchange, event.name);
  } finally {
    await channel.close().catch(() => undefined);
  }
}

async function assertQueue(channel: Channel, declaration: QueueDeclaration): Promise<void> {
  await refusable(`queue ${declaration.name}`, () =>
    channel.assertQueue(declaration.name, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', ...declaration.arguments },
    }),
  );
}

async function refusable(what: string, assert: () => Promise<unknown>): Promise<void> {
  try {
    await assert();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 406) throw error;
    throw new TopologyMismatchError(
      `${what} exists with other properties than this version declares; empty and delete it, or run the version that made it: ${(error as Error).message}`,
    );
  }
}
