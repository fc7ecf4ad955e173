import type { Message } from '@latchkey/contracts';
import { type Clock, inSpan, type Logger, type SpanStart, withinTime } from '@latchkey/kit';
import { exchange, QueueUnavailableError } from '@latchkey/messaging';
import type { OutboxEntry } from '../aggregate.js';
import { toMessage } from './entries.js';

export interface PublishDeps {
  readonly publish: (message: Message) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long one confirm may take (O4). */
  readonly publishLimitMs: number;
}

export interface Published {
  /** Ids of entries that may leave the outbox: confirmed, or past their `notAfter`. */
  readonly gone: string[];
  /** Entries that this engine refuses while it takes others (O8). */
  readonly failed: { readonly id: string; readonly reason: string }[];
  /** The engine is away: nothing after this was tried. */
  readonly unavailable: boolean;
}

/** Publishes entries in order, each with a deadline of its own. One that fails does not hold up those behind it (O8); they carry a sequence (O9). */
export async function publishEntries(
  aggregateId: unknown,
  entries: readonly OutboxEntry[],
  deps: PublishDeps,
  goOn: () => boolean,
): Promise<Published> {
  const gone: string[] = [];
  const failed: { id: string; reason: string }[] = [];
  for (const entry of [...entries].sort((one, other) => one.sequence - other.sequence)) {
    if (!goOn()) break;
    const details = { eventId: entry.id, event: entry.name, correlationId: entry.correlationId };
    if (entry.notAfter && entry.notAfter.getTime() <= deps.clock.now()) {
      deps.logger.warn({ ...details, notAfter: entry.notAfter }, 'event dropped: it has outlived its meaning');
      gone.push(entry.id);
      continue;
    }
    try {
      await inSpan(
        () => publishSpan(entry),
        () =>
          withinTime(
            deps.publishLimitMs,
            () => deps.publish(toMessage(aggregateId, entry)),
            () => new QueueUnavailableError(`no confirm within ${deps.publishLimitMs} ms`),
          ),
      );
      gone.push(entry.id);
    } catch (error) {
      if (error instanceof QueueUnavailableError) {
        deps.logger.warn({ ...details, err: error }, 'queue unavailable: events stay pending');
        return { gone, failed, unavailable: true };
      }
      deps.logger.error({ ...details, err: error, attempts: (entry.attempts ?? 0) + 1 }, 'event cannot be published');
      failed.push({ id: entry.id, reason: String(error) });
    }
  }
  return { gone, failed, unavailable: false };
}

function publishSpan({ id, name, traceparent, correlationId }: OutboxEntry): SpanStart {
  return {
    name: `send ${exchange}`,
    kind: 'producer',
    parent: traceparent,
    attributes: {
      'messaging.operation.type': 'send',
      'messaging.operation.name': 'publish',
      'messaging.destination.name': exchange,
      'messaging.rabbitmq.destination.routing_key': name,
      'messaging.message.id': id,
      'messaging.message.conversation_id': correlationId,
    },
  };
}
