import type { QueueBinding } from '@latchkey/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import { deadQueue, exchange, retryQueue } from '../names.js';
import { openChannel } from './open-channel.js';

/** Consumers that may die over one message before the broker sets it aside. Explicit: the default differs by version and drops what has nowhere to go (P10). */
export const DELIVERY_LIMIT = 10;
/** A dead letter has nowhere further to go: it is never dropped for having been offered often (P10). */
const NO_DELIVERY_LIMIT = 2_147_483_647;

/**
 * A queue that is made again the moment it was deleted keeps the consumers of its earlier life: they are not cancelled and what they are sent gets lost on the
 * way until their channel ends (found on RabbitMQ 3.10.8).
 */
export const REPAIR_AFTER_MS = 500;

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

/**
 * Exchanges, queues and bindings, as one process sees them.
 *
 * An account that reads its own queues only may not declare a queue with dead-lettering of another service (S74: RabbitMQ asks for `read` then). Such queues
 * are remembered and from then on only looked for: their owner makes them.
 */
export class Topology {
  readonly #bindings: readonly QueueBinding[];
  readonly #foreign = new Set<string>();
  #turn: Promise<void> = Promise.resolve();

  constructor(bindings: readonly QueueBinding[]) {
    this.#bindings = bindings;
  }

  /**
   * Asserts all of it, whatever is there. Throws {@link TopologyMismatchError} on PRECONDITION_FAILED; another error, after all that could be made was, while
   * a queue of another service is missing. One at a time: two declarations of one new queue at once are refused by some brokers.
   */
  async assert(connection: ChannelModel): Promise<void> {
    const turn = this.#turn.then(() => this.#assertAll(connection));
    this.#turn = turn.catch(() => undefined);
    await turn;
  }

  async #assertAll(connection: ChannelModel): Promise<void> {
    let channel = await openChannel(connection);
    const missing = new Set<string>();
    try {
      await refusable(`exchange ${exchange}`, () => channel.assertExchange(exchange, 'topic', { durable: true }));
      for (const declaration of queueDeclarations(this.#bindings)) {
        const { name } = declaration;
        // Each refusal closes the channel.
        if (!this.#foreign.has(name)) {
          if (await allowed(() => assertQueue(channel, declaration), ACCESS_REFUSED)) continue;
          this.#foreign.add(name);
          channel = await openChannel(connection);
        }
        if (await allowed(() => channel.checkQueue(name), NOT_FOUND)) continue;
        missing.add(name);
        channel = await openChannel(connection);
      }
      for (const seconds of retrySeconds) {
        const name = retryQueue(seconds);
        await refusable(`exchange ${name}`, () => channel.assertExchange(name, 'fanout', { durable: true }));
        await channel.bindQueue(name, name, '');
      }
      for (const { queue, event } of this.#bindings) {
        if (!missing.has(queue)) await channel.bindQueue(queue, exchange, event.name);
      }
    } finally {
      await channel.close().catch(() => undefined);
    }
    if (missing.size === 0) return;
    // Asked for again next time: the account may have been given the right to make them.
    for (const name of missing) this.#foreign.delete(name);
    throw new Error(`not there yet, and this account may not make them: ${[...missing].join(', ')}`);
  }
}

const ACCESS_REFUSED = 403;
const NOT_FOUND = 404;

/** False when the broker refuses with this code. */
async function allowed(ask: () => Promise<unknown>, code: number): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== code) throw error;
    return false;
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
