import type { HealthCheck, Message, QueueBinding } from '@latchkey/contracts';
import type { Clock, Logger } from '@latchkey/kit';
import {
  type ConsumeOptions,
  type Consumption,
  encodeMessage,
  type MessageQueue,
  QueueUnavailableError,
  UnroutableError,
} from '@latchkey/messaging';
import { anonymousId, Messages } from './messages.js';
import { QueueConsumer } from './queue-consumer.js';
import { mayOpenLater, QueueFile } from './queue-file.js';

export interface EmbeddedQueueOptions {
  /** Path of the SQLite file; made when missing. Several processes may share it. */
  readonly file: string;
  readonly bindings: Readonly<Record<string, QueueBinding>> | readonly QueueBinding[];
  /** Delays go by this clock; leases by SQLite's own. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pollMs?: number;
  readonly leaseMs?: number;
}

export function openEmbeddedQueue(options: EmbeddedQueueOptions): EmbeddedQueue {
  return new EmbeddedQueue(options);
}

interface Opened {
  readonly file: QueueFile;
  readonly messages: Messages;
}

/** The durable queue in one SQLite file: what `publish` resolved for has reached the disk in every bound queue. */
export class EmbeddedQueue implements MessageQueue {
  readonly name = 'queue';
  readonly #options: EmbeddedQueueOptions;
  readonly #queuesOf = new Map<string, string[]>();
  readonly #queues = new Set<string>();
  readonly #consumers = new Set<QueueConsumer>();
  readonly #leaseMs: number;
  #opened: Opened | undefined;
  #stopped = false;

  constructor(options: EmbeddedQueueOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? 5_000;
    for (const { queue, event } of Object.values(options.bindings) as QueueBinding[]) {
      this.#queues.add(queue);
      this.#queuesOf.set(event.name, [...(this.#queuesOf.get(event.name) ?? []), queue]);
    }
  }

  /** Throws when the file is damaged or is no queue of ours; waits while it is locked or the disk is full. */
  async start(): Promise<void> {
    for (let wait = 200; this.#opened === undefined && !this.#stopped; wait = Math.min(10_000, wait * 2)) {
      try {
        const file = await QueueFile.open(this.#options.file);
        this.#opened = { file, messages: new Messages(file.file, this.#options.clock, this.#leaseMs / 1000) };
      } catch (error) {
        if (!mayOpenLater(error)) throw error;
        this.#options.logger.warn({ err: error }, 'the queue file cannot be opened yet');
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  async publish(message: Message): Promise<void> {
    const queues = this.#queuesOf.get(message.name);
    if (queues === undefined) throw new UnroutableError(`no queue is bound to ${message.name}`);
    await this.#put(queues, message.id, encodeMessage(message));
  }

  async redeliver(queue: string, message: Message): Promise<void> {
    this.#mustKnow(queue);
    await this.#put([queue], message.id, encodeMessage(message));
  }

  /** Puts bytes into one queue that no publisher of ours would make. */
  async putRaw(queue: string, body: Uint8Array): Promise<void> {
    this.#mustKnow(queue);
    await this.#put([queue], anonymousId(), Buffer.from(body));
  }

  async consume(queue: string, options: ConsumeOptions): Promise<Consumption> {
    this.#mustKnow(queue);
    const consumer = new QueueConsumer(queue, options, {
      ...this.#usable(),
      logger: this.#options.logger,
      pollMs: this.#options.pollMs ?? 500,
      leaseMs: this.#leaseMs,
    });
    this.#consumers.add(consumer);
    return {
      stop: async () => {
        await consumer.stop();
        this.#consumers.delete(consumer);
      },
    };
  }

  async check(): Promise<HealthCheck> {
    try {
      this.#usable().messages.touch();
      return { status: 'ok' };
    } catch (error) {
      return { status: 'degraded', detail: (error as Error).message };
    }
  }

  async depths(): Promise<Record<string, { ready: number; delayed: number; dead: number }>> {
    const depths = this.#usable().messages.depths();
    const all = new Set([...this.#queues, ...depths.keys()]);
    return Object.fromEntries([...all].map((queue) => [queue, depths.get(queue) ?? { ready: 0, delayed: 0, dead: 0 }]));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    this.#consumers.clear();
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.file.close();
  }

  /** Lets go of the file at once, as a dying process does: what is under way is offered again when its lease ends. */
  abandon(): void {
    this.#stopped = true;
    for (const consumer of this.#consumers) consumer.abandon();
    this.#consumers.clear();
    this.#opened?.file.abandon();
    this.#opened = undefined;
  }

  async #put(queues: readonly string[], messageId: string, body: Buffer): Promise<void> {
    const { file, messages } = this.#usable();
    await file.write(() => {
      for (const queue of queues) messages.insert(queue, messageId, body);
    });
    for (const consumer of this.#consumers) if (queues.includes(consumer.queue)) consumer.wake();
  }

  #usable(): Opened {
    if (this.#opened === undefined) throw new QueueUnavailableError('the queue is not open');
    return this.#opened;
  }

  #mustKnow(queue: string): void {
    if (!this.#queues.has(queue)) throw new Error(`there is no queue ${queue}`);
  }
}
