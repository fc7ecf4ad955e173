import type { QueueBinding } from '@latchkey/contracts';
import type { Clock, Logger } from '@latchkey/kit';

export interface AmqpQueueOptions {
  /** `amqp://user:password@host:port/vhost`, or `amqps:`. */
  readonly url: string;
  /** The whole system's: each process asserts all of it, so that nothing published is unroutable. */
  readonly bindings: Readonly<Record<string, QueueBinding>> | readonly QueueBinding[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Shown in the broker's list of connections; default `latchkey`. */
  readonly name?: string;
  /** Messages sent and not confirmed, default and at most 500. */
  readonly window?: number;
  /** Milliseconds that one publish may take, default 8000. */
  readonly publishDeadlineMs?: number;
  /** Default 10: a peer that is silent for two to three times as long is gone (P9, F9). */
  readonly heartbeatSeconds?: number;
  /** Seconds between assertions of the topology while all is well, default 60: a lost binding beside others is noticed by nothing else (F13). */
  readonly repairSeconds?: number;
  readonly random?: () => number;
}
