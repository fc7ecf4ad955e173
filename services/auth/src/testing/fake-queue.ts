import type { EventDefinition, Message, PayloadOf, QueueBinding } from '@latchkey/contracts';
import { type ConsumeOptions, type MessageQueue, type Outcome, QueueUnavailableError } from '@latchkey/messaging';

/** A queue that keeps what is published, and hands over what a test delivers. */
export class FakeQueue implements MessageQueue {
  readonly messages: Message[] = [];
  away = false;
  readonly #consumers = new Map<string, ConsumeOptions>();
  #deliveries = 0;

  /** Payloads of one event, in the order of publication. */
  payloads<E extends EventDefinition>(event: E): PayloadOf<E>[] {
    return this.messages.filter(({ name }) => name === event.name).map(({ payload }) => payload as PayloadOf<E>);
  }

  /** Delivers one event to the consumer of its queue and waits for the outcome. */
  async deliver<E extends EventDefinition>(
    { queue, event }: QueueBinding<E>,
    payload: PayloadOf<E>,
    over: Partial<Message> = {},
  ): Promise<Outcome> {
    const id = `event-${++this.#deliveries}`;
    const occurredAt = new Date().toISOString();
    const message = {
      id,
      name: event.name,
      aggregateId: '1',
      sequence: 1,
      occurredAt,
      correlationId: 'test',
      payload,
      ...over,
    };
    const consumer = this.#consumers.get(queue);
    if (!consumer) throw new Error(`Nobody consumes ${queue}`);
    return consumer.onDelivery({ queue, body: Buffer.from(JSON.stringify(message)), attempt: 0, deliveries: 1 });
  }

  async publish(message: Message): Promise<void> {
    if (this.away) throw new QueueUnavailableError('away');
    this.messages.push(message);
  }
  async consume(queue: string, options: ConsumeOptions): Promise<void> {
    this.#consumers.set(queue, options);
  }
  async start(): Promise<void> {}
  async redeliver(): Promise<void> {}
  async stop(): Promise<void> {}
  async check() {
    return { status: this.away ? ('degraded' as const) : ('ok' as const) };
  }
  async depths() {
    return {};
  }
}
