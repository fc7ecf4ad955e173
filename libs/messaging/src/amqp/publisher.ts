import type { Logger } from '@latchkey/kit';
import type { ConfirmChannel, Message as ReturnedMessage } from 'amqplib';
import { QueueUnavailableError, UnroutableError } from '../port.js';

export interface Parcel {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly messageId?: string | undefined;
  readonly headers?: Readonly<Record<string, string | number>>;
}

export interface PublisherOptions {
  readonly logger: Logger;
  /** Messages sent and not confirmed. */
  readonly window: number;
  /** Milliseconds that one publish may take, waiting for its turn included. */
  readonly deadlineMs: number;
  /** No queue took a message: the topology is not what it should be (F13). */
  readonly onUnroutable: (parcel: Parcel) => void;
  /** The channel takes messages and never confirms them: another connection may help. */
  readonly onStuck: (reason: string) => void;
}

/** Callers that may wait for their turn; past it publishing is refused at once, so that memory stays bounded (F9). */
const MOST_WAITING = 10_000;
const TAG = 'latchkey-send';

interface Entry {
  readonly parcel: Parcel;
  readonly settle: (error?: Error) => void;
  settled: boolean;
  sentAt: number;
  returned: boolean;
}

/** Publishes with confirms: a bounded window, a deadline per message, and an end for every one of them whatever dies (P3, P4, P5). */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #waiting: Entry[] = [];
  /** By tag, until the broker has confirmed: a message that was given up keeps its place, or a frozen broker would be sent ever more. */
  readonly #sent = new Map<number, Entry>();
  #channel: ConfirmChannel | undefined;
  #writable = true;
  #blocked: string | undefined;
  #tag = 0;
  #lastSignAt = 0;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  get attached(): boolean {
    return this.#channel !== undefined;
  }

  get blocked(): boolean {
    return this.#blocked !== undefined;
  }

  get unconfirmed(): number {
    return this.#sent.size;
  }

  attach(channel: ConfirmChannel): void {
    this.#channel = channel;
    this.#writable = true;
    this.#blocked = undefined;
    channel.on('drain', () => {
      if (channel !== this.#channel) return;
      this.#writable = true;
      this.#pump();
    });
    channel.on('return', (message: ReturnedMessage) => this.#returned(message));
  }

  /** The channel is dead: nothing on it will be confirmed any more, nor will it ever drain. */
  detach(reason: string): void {
    this.#channel = undefined;
    this.#refuseAll(reason);
    this.#sent.clear();
  }

  /** The broker takes nothing from publishers for now (F11). What is under way may or may not arrive. */
  block(reason: string): void {
    this.#blocked = reason;
    this.#refuseAll(`the broker blocks publishers: ${reason}`);
  }

  unblock(): void {
    this.#blocked = undefined;
    this.#pump();
  }

  /** Resolves when the broker has confirmed and some queue has it. Rejects with `UnroutableError` or `QueueUnavailableError`, within the deadline. */
  publish(parcel: Parcel): Promise<void> {
    if (this.#channel === undefined) return Promise.reject(new QueueUnavailableError('no connection to the broker'));
    if (this.#blocked !== undefined) {
      return Promise.reject(new QueueUnavailableError(`the broker blocks publishers: ${this.#blocked}`));
    }
    if (this.#waiting.length >= MOST_WAITING) {
      return Promise.reject(new QueueUnavailableError('too many messages wait to be published'));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#late(entry), this.#options.deadlineMs);
      const entry: Entry = {
        parcel,
        settled: false,
        sentAt: 0,
        returned: false,
        settle(error) {
          if (entry.settled) return;
          entry.settled = true;
          clearTimeout(timer);
          if (error) reject(error);
          else resolve();
        },
      };
      this.#waiting.push(entry);
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#channel && this.#blocked === undefined && this.#writable && this.#sent.size < this.#options.window) {
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      if (!entry.settled) this.#send(this.#channel, entry);
    }
  }

  #send(channel: ConfirmChannel, entry: Entry): void {
    const { exchange, routingKey, body, messageId, headers } = entry.parcel;
    this.#tag += 1;
    const tag = this.#tag;
    entry.sentAt = performance.now();
    const properties = {
      mandatory: true,
      persistent: true,
      contentType: 'application/json',
      headers: { ...headers, [TAG]: tag },
      ...(messageId !== undefined && { messageId }),
    };
    this.#sent.set(tag, entry);
    try {
      // False means buffered, not failed: it was sent and must not be sent again (P4).
      this.#writable = channel.publish(exchange, routingKey, body, properties, (error: Error | null) =>
        this.#confirmed(channel, tag, error),
      );
    } catch (error) {
      this.#sent.delete(tag);
      entry.settle(new QueueUnavailableError(`the channel is closed: ${(error as Error).message}`));
    }
  }

  #confirmed(channel: ConfirmChannel, tag: number, error: Error | null): void {
    if (channel !== this.#channel) return;
    const entry = this.#sent.get(tag);
    this.#sent.delete(tag);
    this.#lastSignAt = performance.now();
    if (error !== null) entry?.settle(new QueueUnavailableError(`not taken by the broker: ${error.message}`));
    else if (entry?.returned) {
      entry.settle(new UnroutableError(`no queue takes ${entry.parcel.routingKey} from '${entry.parcel.exchange}'`));
    } else entry?.settle();
    this.#pump();
  }

  /** Comes before the confirm of the same message. */
  #returned(message: ReturnedMessage): void {
    const entry = this.#sent.get(Number(message.properties.headers?.[TAG]));
    if (entry === undefined) return;
    entry.returned = true;
    this.#options.onUnroutable(entry.parcel);
  }

  #late(entry: Entry): void {
    const silent = entry.sentAt > 0 && this.#lastSignAt < entry.sentAt;
    entry.settle(new QueueUnavailableError(`not confirmed within ${this.#options.deadlineMs} ms`));
    if (entry.sentAt === 0) this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    if (this.#channel === undefined || this.#blocked !== undefined) return;
    if (silent) this.#options.onStuck('nothing is confirmed any more');
    else if (this.#givenUp() > this.#options.window / 2) this.#options.onStuck('too many messages are never confirmed');
  }

  #givenUp(): number {
    let count = 0;
    for (const entry of this.#sent.values()) if (entry.settled) count += 1;
    return count;
  }

  #refuseAll(reason: string): void {
    for (const entry of this.#waiting.splice(0)) entry.settle(new QueueUnavailableError(reason));
    for (const entry of this.#sent.values()) entry.settle(new QueueUnavailableError(reason));
  }
}
