import type { EventDefinition, Message, PayloadOf, QueueBinding } from '@latchkey/contracts';

/** One row of a service's `subscriptions.ts`: which queue, and the use case that handles its event. */
export interface Subscription {
  readonly binding: QueueBinding;
  readonly handle: (message: Message<never>) => Promise<void>;
  /** Attempts before the message is dead; default 10. */
  readonly maxAttempts: number;
}

/**
 * `handle` resolves when the effect is durable. It throws to be tried again; `FinalError` to give up at once; `UnavailableError` (or an error the persistence
 * layer marks as unavailable) when something it needs is away, which spends no attempt.
 */
export function subscribe<E extends EventDefinition>(
  binding: QueueBinding<E>,
  handle: (message: Message<PayloadOf<E>>) => Promise<void>,
  options: { maxAttempts?: number } = {},
): Subscription {
  return { binding, handle, maxAttempts: options.maxAttempts ?? 10 };
}

/** The message can never be handled: it goes to the dead letters without another try. */
export class FinalError extends Error {
  override readonly name = 'FinalError';
}

/** Something that the handler needs is away for now. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}
