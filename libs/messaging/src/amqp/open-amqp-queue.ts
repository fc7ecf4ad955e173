import type { HealthCheck, Message, QueueBinding } from '@latchkey/contracts';
import { type Logger, withinTime } from '@latchkey/kit';
import type { ChannelModel } from 'amqplib';
import { encodeMessage } from '../encode-message.js';
import { exchange } from '../names.js';
import { type ConsumeOptions, type Consumption, type MessageQueue, QueueUnavailableError } from '../port.js';
import { AmqpLink } from './amqp-link.js';
import type { AmqpQueueOptions } from './amqp-queue-options.js';
import { Consumers } from './consumers.js';
import { openChannel, openConfirmChannel, unanswered } from './open-channel.js';
import { pause } from './pause.js';
import { Publisher } from './publisher.js';
import { type Depths, queueDepths } from './queue-depths.js';
import { REPAIR_AFTER_MS, Topology, TopologyMismatchError } from './topology.js';

const MOST_WINDOW = 500;
/** Objects in a channel's buffer before publishing waits for `drain`: little is buffered for a broker that does not read. */
const BUFFERED = 64;
const QUESTION_LIMIT_MS = 1_500;

export function openAmqpQueue(options: AmqpQueueOptions): AmqpQueue {
  return new AmqpQueue(options);
}

/** The queue on RabbitMQ: one connection to publish, which the broker may block, and one for everything else. */
export class AmqpQueue implements MessageQueue {
  readonly name = 'queue';
  readonly #bindings: readonly QueueBinding[];
  readonly #logger: Logger;
  readonly #publisher: Publisher;
  readonly #publishing: AmqpLink;
  readonly #control: AmqpLink;
  readonly #consumers: Consumers;
  readonly #repairSeconds: number;
  /** The second connection, once the topology is asserted there. */
  #consumingOn: ChannelModel | undefined;
  readonly #topology: Topology;
  #repairing: Promise<void> | undefined;
  #counting: Promise<Depths> | undefined;
  #repairTimer: NodeJS.Timeout | undefined;
  #mismatch: TopologyMismatchError | undefined;
  #starting: { resolve: () => void; reject: (error: Error) => void } | undefined;
  readonly #ended = new AbortController();

  constructor(options: AmqpQueueOptions) {
    const { url, logger, clock, name = 'latchkey', heartbeatSeconds = 10, random = Math.random } = options;
    this.#bindings = Object.values(options.bindings);
    this.#topology = new Topology(this.#bindings);
    this.#logger = logger;
    this.#repairSeconds = options.repairSeconds ?? 60;
    this.#publisher = new Publisher({
      logger,
      window: Math.min(options.window ?? MOST_WINDOW, MOST_WINDOW),
      deadlineMs: options.publishDeadlineMs ?? 8_000,
      onUnroutable: ({ exchange: from, routingKey }) => {
        logger.error({ exchange: from, routingKey }, 'no queue takes a message: asserting the topology again');
        this.#repair().catch(() => undefined);
      },
      onStuck: (reason) => this.#publishing.drop(reason),
    });
    this.#consumers = new Consumers({
      clock,
      logger,
      random,
      send: (parcel) => this.#publisher.publish(parcel),
      repair: () => this.#repair(),
    });
    const shared = { url, logger, heartbeatSeconds, random, failed: (error: Error) => this.#failed(error) };
    this.#publishing = new AmqpLink({
      ...shared,
      name: `${name} publish`,
      setUp: (connection) => this.#setUpPublishing(connection),
      lost: (reason) => this.#publisher.detach(`the connection to the broker is lost: ${reason.message}`),
    });
    this.#control = new AmqpLink({
      ...shared,
      name: `${name} consume`,
      setUp: (connection) => this.#setUpConsuming(connection),
      lost: () => {
        this.#consumingOn = undefined;
        this.#consumers.detach();
      },
    });
  }

  /** Resolves when both connections are up. Rejects only with `TopologyMismatchError` (F14); a broker that is away or refuses us is tried for ever. */
  async start(): Promise<void> {
    if (this.#ended.signal.aborted || this.#repairTimer !== undefined) return;
    this.#repairTimer = setInterval(() => this.#repair().catch(() => undefined), this.#repairSeconds * 1_000);
    this.#repairTimer.unref();
    const started = new Promise<void>((resolve, reject) => {
      this.#starting = { resolve, reject };
    });
    this.#publishing.start();
    this.#control.start();
    try {
      await started;
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  async publish(message: Message): Promise<void> {
    const body = encodeMessage(message);
    await this.#publisher.publish({ exchange, routingKey: message.name, body, messageId: message.id });
  }

  async redeliver(queue: string, message: Message): Promise<void> {
    this.#mustKnow(queue);
    const body = encodeMessage(message);
    await this.#publisher.publish({ exchange: '', routingKey: queue, body, messageId: message.id });
  }

  async consume(queue: string, options: ConsumeOptions): Promise<Consumption> {
    this.#mustKnow(queue);
    if (this.#ended.signal.aborted) throw new QueueUnavailableError('the queue is stopped');
    return this.#consumers.add(queue, options, this.#consumingOn);
  }

  async check(): Promise<HealthCheck> {
    if (this.#ended.signal.aborted) return { status: 'degraded', detail: 'stopped' };
    if (this.#mismatch !== undefined) return { status: 'down', detail: "the broker's topology is another version's" };
    const connection = this.#consumingOn;
    if (connection === undefined || !this.#publisher.attached) {
      return { status: 'down', detail: 'no connection to the broker' };
    }
    const { idle } = this.#consumers;
    if (idle !== undefined) return { status: 'down', detail: `${idle} cannot be consumed` };
    if (this.#publisher.blocked) return { status: 'degraded', detail: 'the broker takes no messages for now' };
    try {
      await withinTime(QUESTION_LIMIT_MS, async () => (await openChannel(connection)).close(), unanswered);
      return { status: 'ok' };
    } catch {
      return { status: 'down', detail: 'the broker does not answer' };
    }
  }

  depths(): Promise<Depths> {
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #count(): Promise<Depths> {
    const connection = this.#consumingOn;
    if (connection === undefined) throw new QueueUnavailableError('no connection to the broker');
    const asked = () => queueDepths(connection, this.#bindings);
    return this.#consumers.countHeld(await withinTime(2 * QUESTION_LIMIT_MS, asked, unanswered));
  }

  async stop(): Promise<void> {
    this.#end();
    await this.#consumers.stop();
    await Promise.all([this.#publishing.stop(), this.#control.stop()]);
    this.#publisher.detach('the queue is stopped');
  }

  /** Cuts both sockets, as a dying process does: nothing is acknowledged, nothing is closed. */
  abandon(): void {
    this.#end();
    this.#consumers.abandon();
    this.#publishing.abandon();
    this.#control.abandon();
  }

  /** Publishes that the broker has not confirmed yet. */
  get unconfirmed(): number {
    return this.#publisher.unconfirmed;
  }

  #end(): void {
    this.#ended.abort();
    clearInterval(this.#repairTimer);
    this.#starting?.resolve();
  }

  async #setUpPublishing(connection: ChannelModel): Promise<void> {
    await this.#assert(connection);
    const channel = await openConfirmChannel(connection, { highWaterMark: BUFFERED }, (error) => {
      this.#logger.warn({ err: error }, 'the channel for publishing failed');
    });
    channel.once('close', () => {
      this.#publisher.detach('the channel for publishing is closed');
      this.#publishing.drop('the channel for publishing is closed');
    });
    connection.on('blocked', (reason: string) => {
      this.#logger.error({ reason }, 'the broker blocks publishers');
      this.#publisher.block(reason);
    });
    connection.on('unblocked', () => {
      this.#logger.info('the broker takes messages again');
      this.#publisher.unblock();
    });
    this.#publisher.attach(channel);
    this.#up();
  }

  async #setUpConsuming(connection: ChannelModel): Promise<void> {
    await this.#assert(connection);
    this.#consumingOn = connection;
    await this.#consumers.attach(connection);
    this.#up();
  }

  #up(): void {
    if (this.#consumingOn !== undefined && this.#publisher.attached) this.#starting?.resolve();
  }

  async #assert(connection: ChannelModel): Promise<void> {
    await this.#topology.assert(connection);
    this.#mismatch = undefined;
  }

  #repair(): Promise<void> {
    const connection = this.#consumingOn;
    if (connection === undefined) return Promise.reject(new QueueUnavailableError('no connection to the broker'));
    this.#repairing ??= pause(REPAIR_AFTER_MS, this.#ended.signal)
      .then(() => this.#assert(connection))
      .catch((error) => {
        this.#failed(error as Error);
        throw error;
      })
      .finally(() => {
        this.#repairing = undefined;
      });
    return this.#repairing;
  }

  #failed(error: Error): void {
    if (!(error instanceof TopologyMismatchError)) return;
    this.#mismatch = error;
    this.#logger.error({ err: error }, "the broker's topology is another version's: a person has to decide");
    this.#starting?.reject(error);
  }

  #mustKnow(queue: string): void {
    if (!this.#bindings.some((binding) => binding.queue === queue)) throw new Error(`there is no queue ${queue}`);
  }
}
