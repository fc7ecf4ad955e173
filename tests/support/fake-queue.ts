import type { EventDefinition, Message, PayloadOf, QueueBinding } from '@latchkey/contracts';
import {
  type ConsumeOptions,
  type Consumption,
  type MessageQueue,
  type Outcome,
  QueueUnavailableError,
} from '@latchkey/messaging';
import { someMessage } from './some-message.js';

/** A queue that keeps what is published, hands over what a test delivers, and can be away. */
export class FakeQueue implements MessageQueue {
  readonly messages: Message[] = [];
  readonly redelivered: { queue: string; message: Message }[] = [];
  away = false;
  readonly #consumers = new Map<string, ConsumeOptions>();
  #deliveries = 0;

  /** Payloads of one event, in the order of publication. */
  payloads<E extends EventDefinition>(event: E): PayloadOf<E>[] {
    return this.messages.filter(({ name }) => name === event.name).map(({ payload }) => payload as PayloadOf<E>);
  }

  /** Delivers one event to the consumer of its queue and waits for the outcome; what is dead is taken over as a real queue has it done. */
  async deliver<E extends EventDefinition>(
    { queue, event }: QueueBinding<E>,
    payload: PayloadOf<E>,
    over: Partial<Message> = {},
  ): Promise<Outcome> {
    const consumer = this.#consumers.get(queue);
    if (!consumer) throw new Error(`Nobody consumes ${queue}`);
    const message = someMessage({ id: `event-${++this.#deliveries}`, name: event.name, payload, ...over });
    const body = Buffer.from(JSON.stringify(message));
    const outcome = await consumer.onDelivery({ queue, body, attempt: 0, deliveries: 1 });
    if (outcome.kind === 'dead') {
      await consumer.onDead({ queue, body, reason: outcome.reason, attempts: 1, diedAt: new Date(message.occurredAt) });
    }
    return outcome;
  }

  async publish(message: Message): Promise<void> {
    if (this.away) throw new QueueUnavailableError('away');
    this.messages.push(message);
  }
  async consume(queue: string, options: ConsumeOptions): Promise<Consumption> {
    this.#consumers.set(queue, options);
    return { stop: async () => void this.#consumers.delete(queue) };
  }
  async redeliver(queue: string, message: Message): Promise<void> {
    if (this.away) throw new QueueUnavailableError('away');
    this.redelivered.push({ queue, message });
  }
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  async check() {
    return { status: this.away ? ('degraded' as const) : ('ok' as const) };
  }
  async depths() {
    return {};
  }
}
