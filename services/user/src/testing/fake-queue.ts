import type { EventDefinition, Message, PayloadOf } from '@latchkey/contracts';
import { type MessageQueue, QueueUnavailableError } from '@latchkey/messaging';

/** A queue that keeps what is published, and can be away. */
export class FakeQueue implements MessageQueue {
  readonly messages: Message[] = [];
  away = false;

  /** Payloads of one event, in the order of publication. */
  payloads<E extends EventDefinition>(event: E): PayloadOf<E>[] {
    return this.messages.filter(({ name }) => name === event.name).map(({ payload }) => payload as PayloadOf<E>);
  }

  async publish(message: Message): Promise<void> {
    if (this.away) throw new QueueUnavailableError('away');
    this.messages.push(message);
  }

  async start(): Promise<void> {}
  async consume(): Promise<void> {}
  async redeliver(): Promise<void> {}
  async stop(): Promise<void> {}
  async check() {
    return { status: this.away ? ('degraded' as const) : ('ok' as const) };
  }
  async depths() {
    return {};
  }
}
