import type { Message } from '@latchkey/contracts';
import { type Clock, inSpan, type Logger, Problem, type SpanStart, withinTime } from '@latchkey/kit';
import { backOff, backOffUnavailable } from './back-off.js';
import { decodeMessage, UnparseableMessageError } from './encode-message.js';
import type { Delivery, Outcome } from './port.js';
import { FinalError, type Subscription, UnavailableError } from './subscription.js';

export interface HandleDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** How long one handler may take, in ms; past it the message is tried again (F24). */
  readonly handlerLimitMs: number;
  /** Errors beside ours that mean "not now", such as the persistence layer's `isUnavailable`. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** Hands one delivery to its use case and says how it ended. Never throws. */
export async function handleDelivery(
  subscription: Subscription,
  delivery: Delivery,
  deps: HandleDeps,
): Promise<Outcome> {
  const { queue } = delivery;
  let message: Message;
  try {
    message = decodeMessage(delivery.body, subscription.binding.event);
  } catch (error) {
    const reason = error instanceof UnparseableMessageError ? error.message : String(error);
    deps.logger.error({ queue, reason }, 'message cannot be read: dead');
    return { kind: 'dead', reason: `unparseable: ${reason}` };
  }
  return inSpan(
    () => processSpan(delivery, message),
    async (span) => {
      const outcome = await handleMessage(subscription, delivery, message, deps);
      span.set({ 'latchkey.outcome': outcome.kind });
      if (outcome.kind !== 'done') span.fail(outcome.kind);
      return outcome;
    },
  );
}

function processSpan({ queue, deliveries }: Delivery, message: Message): SpanStart {
  return {
    name: `process ${queue}`,
    kind: 'consumer',
    parent: message.traceparent,
    attributes: {
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
      'messaging.destination.name': queue,
      'messaging.rabbitmq.destination.routing_key': message.name,
      'messaging.message.id': message.id,
      'messaging.message.conversation_id': message.correlationId,
      'latchkey.deliveries': deliveries,
    },
  };
}

async function handleMessage(
  subscription: Subscription,
  { queue, attempt, deliveries }: Delivery,
  message: Message,
  deps: HandleDeps,
): Promise<Outcome> {
  const logger = deps.logger.child({
    queue,
    eventId: message.id,
    event: message.name,
    correlationId: message.correlationId,
  });
  const deadline = message.notAfter === undefined ? Number.POSITIVE_INFINITY : Date.parse(message.notAfter);
  if (deadline <= deps.clock.now()) {
    logger.warn({ notAfter: message.notAfter }, 'message dropped: it has outlived its meaning');
    return { kind: 'done' };
  }

  const retry = (delay: number, spendsAttempt: boolean, error: unknown): Outcome => {
    const reason = describe(error);
    if (deps.clock.now() + delay * 1000 >= deadline) {
      logger.error({ err: error, notAfter: message.notAfter }, 'no time is left for another try: dead');
      return { kind: 'dead', reason: `expired: ${reason}` };
    }
    logger.warn({ err: error, attempt, deliveries, delay, spendsAttempt }, 'message will be tried again');
    return { kind: 'retry', delay, spendsAttempt, reason };
  };

  try {
    // A handler that comes to its end after all has a duplicate's effect, which handlers expect.
    const handle = () => subscription.handle(message as Message<never>);
    await withinTime(deps.handlerLimitMs, handle, () => new Error(`not handled within ${deps.handlerLimitMs} ms`));
    logger.debug({ attempt, deliveries }, 'message handled');
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof FinalError) {
      logger.error({ err: error }, 'message can never be handled: dead');
      return { kind: 'dead', reason: describe(error) };
    }
    if (isAway(error, deps)) {
      return retry(backOffUnavailable(Math.max(0, deliveries - 1 - attempt), deps.random), false, error);
    }
    if (attempt + 1 >= subscription.maxAttempts) {
      logger.error({ err: error, attempts: attempt + 1 }, 'attempts spent: dead');
      return { kind: 'dead', reason: `attempts spent: ${describe(error)}` };
    }
    return retry(backOff(attempt, deps.random), true, error);
  }
}

function isAway(error: unknown, deps: HandleDeps): boolean {
  return (
    error instanceof UnavailableError || (error instanceof Problem && error.status === 503) || deps.isUnavailable(error)
  );
}

function describe(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
}
