import type { Clock, Logger } from '@latchkey/kit';
import type { ChannelModel, ConsumeMessage } from 'amqplib';
import { deadQueue, retryQueue } from '../names.js';
import type { ConsumeOptions, Outcome } from '../port.js';
import { ConsumerChannel } from './consumer-channel.js';
import type { ConsumerSession } from './consumer-session.js';
import { carriedHeaders, deadHeaders, readCarried } from './message-headers.js';
import { pause, reconnectDelay } from './pause.js';
import type { Parcel } from './publisher.js';
import { DELIVERY_LIMIT, nearestRetry } from './topology.js';

export interface ConsumerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly send: (parcel: Parcel) => Promise<void>;
  readonly repair: () => Promise<void>;
}

interface Job {
  readonly message: ConsumeMessage;
  readonly session: ConsumerSession;
}

/** With the closing of channel and connection it stays below the 10 s that a stop may take. */
const STOP_LIMIT_MS = 7_000;

/**
 * Hands the deliveries of one queue on and writes down how each ended.
 *
 * The broker counts a death of the consumer against every message that it held. So that innocents do not die with the guilty (F7), a new session begins with
 * one delivery at a time, and what some consumer died over is handled while this one holds nothing else.
 */
export class QueueConsumer {
  readonly #queue: string;
  readonly #options: ConsumeOptions;
  readonly #deps: ConsumerDeps;
  readonly #channel: ConsumerChannel;
  readonly #giveUp = new AbortController();
  #waiting: Job[] = [];
  #suspects: Job[] = [];
  #underWay = 0;
  #trusting = false;
  #stopping = false;
  #steering: Promise<void> | undefined;
  #whenIdle: (() => void)[] = [];

  constructor(queue: string, options: ConsumeOptions, deps: ConsumerDeps) {
    this.#queue = queue;
    this.#options = options;
    this.#deps = deps;
    const onMessage = (message: ConsumeMessage, session: ConsumerSession) => this.#take({ message, session });
    this.#channel = new ConsumerChannel({ ...deps, queue, prefetch: 1, onMessage });
  }

  get queue(): string {
    return this.#queue;
  }

  get consuming(): boolean {
    return this.#channel.session !== undefined;
  }

  attach(connection: ChannelModel): Promise<void> {
    return this.#channel.attach(connection);
  }

  detach(): void {
    this.#channel.detach();
    this.#forgetTheDead();
  }

  /** Takes no more and waits, bounded, for what it holds. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const timer = setTimeout(() => this.#giveUp.abort(), STOP_LIMIT_MS);
    const limit = new Promise<void>((resolve) => this.#giveUp.signal.addEventListener('abort', () => resolve()));
    await Promise.race([this.#windDown(), limit]);
    clearTimeout(timer);
    this.#giveUp.abort();
    const { session } = this.#channel;
    session?.release();
    await session?.close();
  }

  async #windDown(): Promise<void> {
    await this.#steering;
    await this.#channel.stop();
    await this.#idle();
  }

  abandon(): void {
    this.#stopping = true;
    this.#giveUp.abort();
    this.detach();
    void this.#channel.stop();
  }

  #take(job: Job): void {
    if (readCarried(job.message).deaths > 0) {
      this.#suspects.push(job);
    } else {
      this.#trusting = true;
      if (this.#isNarrow(job.session)) job.session.hold();
      this.#waiting.push(job);
      this.#next();
    }
    this.#steer(job.session);
  }

  /** The broker may give a few more than `prefetch` while the consumer changes: they wait here. */
  #next(): void {
    while (this.#underWay < this.#options.prefetch) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      if (job.session.alive) void this.#handle(job);
    }
    if (this.#underWay === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#next();
    });
  }

  #steer(session: ConsumerSession): void {
    this.#steering ??= this.#steps(session)
      .catch((error) => (session.alive ? this.#channel.renew(session, error as Error) : undefined))
      .finally(() => {
        this.#steering = undefined;
        this.#forgetTheDead();
        const next = this.#channel.session;
        if (next && !this.#stopping && (this.#suspects.length > 0 || (this.#trusting && this.#isNarrow(next)))) {
          this.#steer(next);
        }
      });
  }

  /** To one delivery at a time while there are suspects, to full prefetch when an ordinary message comes. */
  async #steps(session: ConsumerSession): Promise<void> {
    while (session.alive && this.#channel.session === session && !this.#stopping) {
      if (this.#suspects.length > 0) await this.#isolate(session);
      else if (this.#trusting && this.#isNarrow(session)) await session.widen(this.#options.prefetch);
      else return;
    }
  }

  /** It consumes, and not yet as many at once as it may. */
  #isNarrow({ prefetch }: ConsumerSession): boolean {
    return prefetch > 0 && prefetch < this.#options.prefetch;
  }

  async #isolate(session: ConsumerSession): Promise<void> {
    const alone = session.prefetch === 1 && this.#underWay === 0 && this.#suspects.length === 1;
    if (!alone) {
      await session.quiet();
      await this.#idle();
      session.release();
    }
    this.#trusting = false;
    this.#forgetTheDead();
    const [first, ...others] = this.#suspects.splice(0);
    for (const other of others) await this.#putAside(other);
    if (first !== undefined) await this.#handle(first);
    if (!alone) await this.#channel.rotate(session);
  }

  /** Comes back alone a little later; what the first one does to this process is not counted against it. */
  async #putAside(job: Job): Promise<void> {
    await this.#move(job, this.#toRetry(job, 1 + 5 * this.#deps.random(), readCarried(job.message)));
  }

  async #handle(job: Job): Promise<void> {
    this.#underWay += 1;
    try {
      await this.#settle(job, await this.#outcome(job));
    } finally {
      this.#underWay -= 1;
      this.#next();
    }
  }

  async #outcome({ message }: Job): Promise<Outcome> {
    const { attempt, deliveries, deaths } = readCarried(message);
    if (deaths >= DELIVERY_LIMIT)
      return { kind: 'dead', reason: `its consumer died ${deaths} times while handling it` };
    const delivery = { queue: this.#queue, body: message.content, attempt, deliveries: deliveries + 1 };
    try {
      return await this.#options.onDelivery(delivery);
    } catch (error) {
      this.#deps.logger.error({ err: error, queue: this.#queue }, 'a consumer threw instead of giving an outcome');
      return { kind: 'retry', delay: 5, spendsAttempt: true, reason: String(error) };
    }
  }

  async #settle(job: Job, outcome: Outcome): Promise<void> {
    const { attempt, deliveries } = readCarried(job.message);
    switch (outcome.kind) {
      case 'done':
        return job.session.ack(job.message);
      case 'retry': {
        const spent = attempt + (outcome.spendsAttempt ? 1 : 0);
        const carried = { attempt: spent, deliveries: deliveries + 1, deaths: 0 };
        return this.#move(job, this.#toRetry(job, outcome.delay, carried));
      }
      case 'dead': {
        const diedAt = new Date(this.#deps.clock.now());
        const headers = deadHeaders({ reason: outcome.reason, attempts: attempt + 1, diedAt });
        return this.#move(job, { ...parcelOf(job), exchange: '', routingKey: deadQueue(this.#queue), headers });
      }
    }
  }

  #toRetry(job: Job, delay: number, carried: Parameters<typeof carriedHeaders>[0]): Parcel {
    const exchange = retryQueue(nearestRetry(delay));
    return { ...parcelOf(job), exchange, routingKey: this.#queue, headers: carriedHeaders(carried) };
  }

  /** To another queue and then away from this one: a crash in between doubles the message and never loses it. Tried until the session ends. */
  async #move(job: Job, parcel: Parcel): Promise<void> {
    for (let tries = 0; job.session.alive && !this.#giveUp.signal.aborted; tries += 1) {
      try {
        await this.#deps.send(parcel);
        return job.session.ack(job.message);
      } catch (error) {
        this.#deps.logger.warn({ err: error, queue: this.#queue, tries }, 'an outcome could not be written yet');
      }
      await pause(reconnectDelay(tries, this.#deps.random), this.#giveUp.signal);
    }
  }

  /** The broker offers again what a dead session held. */
  #forgetTheDead(): void {
    this.#waiting = this.#waiting.filter(({ session }) => session.alive);
    this.#suspects = this.#suspects.filter(({ session }) => session.alive);
  }
}

function parcelOf({ message }: Job): Pick<Parcel, 'body' | 'messageId'> {
  const { messageId } = message.properties;
  return { body: message.content, messageId: typeof messageId === 'string' ? messageId : undefined };
}
