import { type Logger, withinTime } from '@latchkey/kit';
import type { ChannelModel, ConsumeMessage } from 'amqplib';
import { ConsumerSession } from './consumer-session.js';
import { openChannel, unanswered } from './open-channel.js';
import { pause, reconnectDelay } from './pause.js';

export interface ConsumerChannelOptions {
  readonly queue: string;
  /** Of a fresh session; its owner may raise it. */
  readonly prefetch: number;
  readonly logger: Logger;
  readonly random: () => number;
  readonly onMessage: (message: ConsumeMessage, session: ConsumerSession) => void;
  /** Asserts the topology again, before a queue that may have been deleted is consumed anew. */
  readonly repair: () => Promise<void>;
}

/** For a broker that says nothing any more (F9); one that answers needs less. */
const STOP_LIMIT_MS = 4_000;

/** Keeps one queue consumed: over reconnects, channels that the broker closes and consumers that it cancels (P8, F13). */
export class ConsumerChannel {
  readonly #options: ConsumerChannelOptions;
  readonly #stop = new AbortController();
  #connection: ChannelModel | undefined;
  #session: ConsumerSession | undefined;
  #retryingOn: ChannelModel | undefined;

  constructor(options: ConsumerChannelOptions) {
    this.#options = options;
  }

  get queue(): string {
    return this.#options.queue;
  }

  get session(): ConsumerSession | undefined {
    return this.#session;
  }

  /** Consumes on a new connection. Resolves after the first try; when that fails, others follow. */
  async attach(connection: ChannelModel): Promise<void> {
    this.#connection = connection;
    try {
      await this.#subscribe(connection);
    } catch (error) {
      this.#lost(undefined, error as Error);
    }
  }

  detach(): void {
    this.#connection = undefined;
    this.#session?.end();
    this.#session = undefined;
  }

  /** Ends the session, so that all it holds goes back, and begins another one. */
  async renew(session: ConsumerSession, reason: Error): Promise<void> {
    await session.close();
    this.#lost(session, reason);
  }

  /** Begins a session anew in good order: the queue is there and the broker well. */
  async rotate(session: ConsumerSession): Promise<void> {
    const connection = this.#connection;
    if (session !== this.#session || connection === undefined) return;
    this.#session = undefined;
    await session.close();
    if (connection === this.#connection && !this.#stop.signal.aborted) await this.attach(connection);
  }

  /** Consumes no more. What is under way can still be settled, and its acknowledgement waits for the session's `release`. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const session = this.#session;
    if (session !== undefined) {
      await withinTime(STOP_LIMIT_MS, () => session.quiet(), unanswered).catch(() => undefined);
    }
  }

  async #subscribe(connection: ChannelModel): Promise<void> {
    let cause: Error | undefined;
    const channel = await openChannel(connection, (error) => {
      cause ??= error;
    });
    const { queue, prefetch, onMessage } = this.#options;
    const session: ConsumerSession = new ConsumerSession(channel, queue, {
      message: onMessage,
      cancelled: () => void this.renew(session, new Error('the broker cancelled the consumer')),
    });
    channel.on('handler-error', (error) => void this.renew(session, error));
    channel.once('close', () => {
      session.end();
      this.#lost(session, cause ?? new Error('the channel is closed'));
    });
    if (this.#stop.signal.aborted || connection !== this.#connection) return session.close();
    // Before the first delivery, which may come with the answer to `consume`.
    this.#session = session;
    await session.consume(prefetch);
  }

  #lost(session: ConsumerSession | undefined, reason: Error): void {
    if (session !== this.#session && session !== undefined) return;
    this.#session?.end();
    this.#session = undefined;
    if (this.#connection === undefined || this.#connection === this.#retryingOn || this.#stop.signal.aborted) return;
    this.#options.logger.warn({ queue: this.queue, err: reason }, 'a queue is consumed no more; trying again');
    void this.#again(this.#connection);
  }

  async #again(connection: ChannelModel): Promise<void> {
    const { random, repair, logger } = this.#options;
    this.#retryingOn = connection;
    const over = () => this.#stop.signal.aborted || connection !== this.#connection || this.#session !== undefined;
    for (let tries = 0; !over(); tries += 1) {
      try {
        await repair();
        if (!over()) await this.#subscribe(connection);
        // It may have ended again in the meantime.
        if (over()) break;
      } catch (error) {
        logger.warn({ queue: this.queue, err: error, tries }, 'the queue cannot be consumed yet');
      }
      await pause(reconnectDelay(tries, random), this.#stop.signal);
    }
    if (this.#retryingOn === connection) this.#retryingOn = undefined;
  }
}
