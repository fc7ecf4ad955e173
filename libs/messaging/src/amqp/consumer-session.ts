import type { Channel, ConsumeMessage } from 'amqplib';

/** One life of a channel that consumes one queue. What was delivered on it can be acknowledged on it only. */
export class ConsumerSession {
  readonly #channel: Channel;
  readonly #queue: string;
  readonly #onMessage: (message: ConsumeMessage, session: ConsumerSession) => void;
  readonly #onCancelled: () => void;
  #consumerTag: string | undefined;
  #prefetch = 0;
  #alive = true;
  #retired = false;

  constructor(
    channel: Channel,
    queue: string,
    on: { message: (message: ConsumeMessage, session: ConsumerSession) => void; cancelled: () => void },
  ) {
    this.#channel = channel;
    this.#queue = queue;
    this.#onMessage = on.message;
    this.#onCancelled = on.cancelled;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Deliveries that the broker may have under way here; 0 while nothing is consumed. */
  get prefetch(): number {
    return this.#consumerTag === undefined ? 0 : this.#prefetch;
  }

  /** Begins to consume, or goes on with another prefetch: the broker takes it only with a new consumer. */
  async consume(prefetch: number): Promise<void> {
    await this.cancel();
    if (this.#retired) return;
    await this.#channel.prefetch(prefetch);
    const { consumerTag } = await this.#channel.consume(this.#queue, (message) => {
      // Null: the broker has cancelled the consumer, since the queue was deleted or its leader moved (P8).
      if (message === null) this.#onCancelled();
      else this.#onMessage(message, this);
    });
    this.#consumerTag = consumerTag;
    this.#prefetch = prefetch;
    if (this.#retired) await this.cancel();
  }

  /** Nothing new is delivered after this; what was can still be acknowledged. */
  async cancel(): Promise<void> {
    const tag = this.#consumerTag;
    this.#consumerTag = undefined;
    if (tag !== undefined && this.#alive) await this.#channel.cancel(tag);
  }

  /** Cancels for good. */
  async retire(): Promise<void> {
    this.#retired = true;
    await this.cancel();
  }

  /** On a dead channel it does nothing: the broker offers the message again. */
  ack(message: ConsumeMessage): void {
    if (!this.#alive) return;
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

  /** What is not acknowledged goes back to the queue. */
  async close(): Promise<void> {
    if (!this.#alive) return;
    this.#alive = false;
    await this.#channel.close().catch(() => undefined);
  }
}
