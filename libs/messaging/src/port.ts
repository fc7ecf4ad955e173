import type { HealthCheck, Message } from '@latchkey/contracts';

/**
 * How one delivery ended. `retry`: come back after `delay` seconds; `spendsAttempt` false when an unavailable database or provider is to blame, which must
 * not bring the message nearer to its death. `dead`: set aside with the reason, for a person to look at.
 */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly delay: number; readonly spendsAttempt: boolean; readonly reason: string }
  | { readonly kind: 'dead'; readonly reason: string };

/** One delivery as the engine has it: bytes not yet parsed. `attempt`: attempts spent before this one. */
export interface Delivery {
  readonly queue: string;
  readonly body: Uint8Array;
  readonly attempt: number;
  /** Deliveries so far, this one included, attempts spent or not. */
  readonly deliveries: number;
}

/** A message that the engine set aside. `id`: stable while it lies there. */
export interface DeadDelivery {
  readonly queue: string;
  readonly body: Uint8Array;
  readonly reason: string;
  readonly attempts: number;
  readonly diedAt: Date;
}

export interface ConsumeOptions {
  /** Deliveries under way at once. */
  readonly prefetch: number;
  readonly onDelivery: (delivery: Delivery) => Promise<Outcome>;
  /** Takes over a dead delivery (stores it durably); when it throws, the delivery stays where it is and is offered again. */
  readonly onDead: (dead: DeadDelivery) => Promise<void>;
}

/** One queue being consumed. */
export interface Consumption {
  /**
   * Ends it, and leaves the engine's other work alone: takes no more, waits (bounded) for what is under way and its outcomes. What was not begun is back
   * in its queue, no delivery counted. Never rejects.
   */
  stop(): Promise<void>;
}

/**
 * The queue engine. Implemented on SQLite (libs/embedded) and on RabbitMQ; one suite (tests/contract/messaging) holds both to the same promises:
 * what `publish` resolved for is durable and in every bound queue; each delivery ends in one outcome or is offered again after a crash.
 */
export interface MessageQueue {
  /** Connects and asserts the whole topology. Resolves once usable; keeps trying while the engine is away. */
  start(): Promise<void>;
  /**
   * Resolves once every bound queue holds the message durably. Rejects with `UnroutableError` when no queue is bound, `QueueUnavailableError` when the engine
   * is away, refuses or does not confirm in time: the message must then stay pending and be published again.
   */
  publish(message: Message): Promise<void>;
  /** Begins to consume; goes on through reconnects until it is stopped, or the engine is. */
  consume(queue: string, options: ConsumeOptions): Promise<Consumption>;
  /** Puts a message into one queue again (replay of a dead letter), durably. */
  redeliver(queue: string, message: Message): Promise<void>;
  check(): Promise<HealthCheck>;
  /** Messages ready, waiting for a retry, and dead, by queue. */
  depths(): Promise<Record<string, { ready: number; delayed: number; dead: number }>>;
  /** Stops consuming, waits for deliveries under way (bounded), closes. */
  stop(): Promise<void>;
}

export class UnroutableError extends Error {
  override readonly name = 'UnroutableError';
}

export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}
