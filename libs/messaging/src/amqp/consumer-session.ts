import { randomUUID } from 'node:crypto';
import { withinTime } from '@latchkey/kit';
import type { Channel, ConsumeMessage } from 'amqplib';
import { unanswered } from './open-channel.js';

export interface SessionEvents {
  readonly message: (message: ConsumeMessage, session: ConsumerSession) => void;
  /** The broker has cancelled the consumer (P8). */
  readonly cancelled: () => void;
}

const QUIET_LIMIT_MS = 2_000;
const CLOSE_LIMIT_MS = 1_000;
const ASK_AGAIN_MS = 10;

/**
 * One life of a channel that consumes one queue. What was delivered on it can be acknowledged on it only.
 *
 * RabbitMQ forgets what it was just sending to a consumer that is cancelled: those messages come back when the channel closes, counted as if a consumer had
 * died over them (found on 3.10.8). So acknowledgements are held back first, until the broker has nothing more to send.
 */
export class ConsumerSession {
  readonly #channel: Channel;
  readonly #queue: string;
  readonly #on: SessionEvents;
  readonly #unsettled = new Set<ConsumeMessage>();
  #held: ConsumeMessage[] = [];
  #holding = false;
  #consumerTag: string | undefined;
  #prefetch = 0;
  #alive = true;

  constructor(channel: Channel, queue: string, on: SessionEvents) {
    this.#channel = channel;
    this.#queue = queue;
    this.#on = on;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Deliveries that the broker may have under way here; 0 while nothing is consumed. */
  get prefetch(): number {
    return this.#consumerTag === undefined ? 0 : this.#prefetch;
  }

  async consume(prefetch: number): Promise<void> {
    const consumerTag = `latchkey-${randomUUID()}`;
    await this.#channel.prefetch(prefetch);
    this.#consumerTag = consumerTag;
    this.#prefetch = prefetch;
    await this.#channel.consume(this.#queue, (message) => this.#take(message), { consumerTag });
  }

  /** From one delivery at a time to more. To be called while the one is held: the broker takes another prefetch only with another consumer. */
  async widen(prefetch: number): Promise<void> {
    await this.#cancel();
    await this.consume(prefetch);
    this.release();
  }

  /** From now on nothing is acknowledged, so that the broker soon sends nothing more. */
  hold(): void {
    this.#holding = true;
  }

  /** Acknowledges what was held back. */
  release(): void {
    this.#holding = false;
    for (const message of this.#held.splice(0)) this.ack(message);
  }

  /** Consumes no more, once the broker has nothing under way to here. What is held must be released afterwards. */
  async quiet(): Promise<void> {
    this.hold();
    const giveUpAt = performance.now() + QUIET_LIMIT_MS;
    while (this.#alive && this.#consumerTag !== undefined && performance.now() < giveUpAt) {
      if (this.#underWay() >= this.#prefetch) break;
      // Asked on this channel: what was sent before the answer comes before whatever we say next.
      if ((await this.#channel.checkQueue(this.#queue)).messageCount === 0) break;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
    await this.#cancel();
  }

  /** On a dead channel it does nothing: the broker offers the message again. */
  ack(message: ConsumeMessage): void {
    if (!this.#alive) return;
    if (this.#holding) {
      this.#held.push(message);
      return;
    }
    this.#unsettled.delete(message);
    try {
      this.#channel.ack(message);
    } catch {
      this.#alive = false;
    }
  }

  /** The channel is gone. */
  end(): void {
    this.#alive = false;
  }

  /** What is not acknowledged goes back to the queue. A broker that does not answer is not waited for: it does the same later (F9). */
  async close(): Promise<void> {
    if (!this.#alive) return;
    this.#alive = false;
    await withinTime(CLOSE_LIMIT_MS, () => this.#channel.close(), unanswered).catch(() => undefined);
  }

  #take(message: ConsumeMessage | null): void {
    if (message === null) {
      this.#on.cancelled();
      return;
    }
    this.#unsettled.add(message);
    this.#on.message(message, this);
  }

  /** Of the present consumer alone: what another one left behind takes none of its places. */
  #underWay(): number {
    let count = 0;
    for (const { fields } of this.#unsettled) if (fields.consumerTag === this.#consumerTag) count += 1;
    return count;
  }

  async #cancel(): Promise<void> {
    const tag = this.#consumerTag;
    if (tag === undefined || !this.#alive) return;
    await this.#channel.cancel(tag);
    this.#consumerTag = undefined;
  }
}
