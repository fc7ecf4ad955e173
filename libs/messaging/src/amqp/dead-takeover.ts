import type { ChannelModel, ConsumeMessage } from 'amqplib';
import { deadQueue } from '../names.js';
import type { ConsumeOptions } from '../port.js';
import { ConsumerChannel } from './consumer-channel.js';
import type { ConsumerSession } from './consumer-session.js';
import { readDead } from './message-headers.js';
import { pause } from './pause.js';
import type { ConsumerDeps } from './queue-consumer.js';

const AT_ONCE = 10;
const AGAIN_MS = 5_000;
const STOP_LIMIT_MS = 3_000;

/** Hands over what lies dead in one queue. It leaves only when `onDead` has resolved, and is offered again every few seconds until then (F25). */
export class DeadTakeover {
  readonly #queue: string;
  readonly #onDead: ConsumeOptions['onDead'];
  readonly #deps: ConsumerDeps;
  readonly #channel: ConsumerChannel;
  readonly #stop = new AbortController();
  readonly #held = new Set<Promise<void>>();

  constructor(queue: string, onDead: ConsumeOptions['onDead'], deps: ConsumerDeps) {
    this.#queue = queue;
    this.#onDead = onDead;
    this.#deps = deps;
    this.#channel = new ConsumerChannel({
      ...deps,
      queue: deadQueue(queue),
      prefetch: AT_ONCE,
      onMessage: (message, session) => this.#take(message, session),
    });
  }

  get queue(): string {
    return this.#queue;
  }

  get consuming(): boolean {
    return this.#channel.session !== undefined;
  }

  /** Dead deliveries that this process has and nobody could store yet; the broker does not count them as lying there. */
  get held(): number {
    return this.#held.size;
  }

  attach(connection: ChannelModel): Promise<void> {
    return this.#channel.attach(connection);
  }

  detach(): void {
    this.#channel.detach();
  }

  /** Waits, bounded, for those that are being stored; the others go back. */
  async stop(): Promise<void> {
    const { session } = this.#channel;
    await this.#channel.stop();
    this.#stop.abort();
    const limit = new AbortController();
    await Promise.race([Promise.allSettled(this.#held), pause(STOP_LIMIT_MS, limit.signal)]);
    limit.abort();
    session?.release();
    await session?.close();
  }

  abandon(): void {
    this.#stop.abort();
    this.detach();
    void this.#channel.stop();
  }

  #take(message: ConsumeMessage, session: ConsumerSession): void {
    const work = this.#store(message, session).finally(() => this.#held.delete(work));
    this.#held.add(work);
  }

  async #store(message: ConsumeMessage, session: ConsumerSession): Promise<void> {
    const dead = readDead(this.#queue, message, this.#deps.clock.now());
    while (session.alive) {
      try {
        await this.#onDead(dead);
        return session.ack(message);
      } catch (error) {
        this.#deps.logger.error({ err: error, queue: this.#queue }, 'a dead delivery could not be stored; it stays');
      }
      if (this.#stop.signal.aborted) return;
      await pause(AGAIN_MS * (0.8 + 0.4 * this.#deps.random()), this.#stop.signal);
      if (this.#stop.signal.aborted) return;
    }
  }
}
