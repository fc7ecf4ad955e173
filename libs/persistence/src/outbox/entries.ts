import { randomUUID } from 'node:crypto';
import type { Message } from '@latchkey/contracts';
import { currentTraceparent, Problem } from '@latchkey/kit';
import type { NewEvent, OutboxEntry } from '../aggregate.js';
import { dropUndefined } from '../drop-undefined.js';

/** Events that may wait in one document (O7: 16 MB limit, slow rewrites). Use cases coalesce before that. */
export const MAX_WAITING = 100;
/** Given-up entries may stay for a person to see, but not without end. */
const MAX_KEPT = 1000;

/**
 * The entries for the events of one write. The payload is parsed by its own schema, so that nothing unparseable is ever stored (F24).
 * `sequence`: the version that the document has after the write (O9).
 */
export function toEntries(
  events: readonly NewEvent[],
  origin: { readonly sequence: number; readonly occurredAt: Date; readonly correlationId: string },
): OutboxEntry[] {
  const traceparent = currentTraceparent();
  return events.map(({ definition, payload, notAfter }) => ({
    id: randomUUID(),
    name: definition.name,
    ...origin,
    ...(notAfter && { notAfter }),
    ...(traceparent !== undefined && { traceparent }),
    payload: dropUndefined(definition.payload.parse(payload)),
  }));
}

export function waiting(outbox: readonly OutboxEntry[]): OutboxEntry[] {
  return outbox.filter((entry) => entry.quarantinedAt === undefined || entry.quarantinedAt === null);
}

/** O7: refuses the write instead of letting the document grow while the broker is away. */
export function refuseOverflow(outbox: readonly OutboxEntry[], added: number): void {
  if (added === 0) return;
  if (waiting(outbox).length + added <= MAX_WAITING && outbox.length + added <= MAX_KEPT) return;
  throw new Problem('service-unavailable', {
    detail: 'Too many events of this resource wait to be delivered',
    retryAfter: 10,
  });
}

/** Within the span that publishes it, so that who consumes it continues from there. */
export function toMessage(aggregateId: unknown, entry: OutboxEntry): Message {
  const traceparent = currentTraceparent() ?? entry.traceparent;
  return {
    id: entry.id,
    name: entry.name,
    aggregateId: String(aggregateId),
    sequence: entry.sequence,
    occurredAt: entry.occurredAt.toISOString(),
    correlationId: entry.correlationId,
    ...(entry.notAfter && { notAfter: entry.notAfter.toISOString() }),
    ...(traceparent !== undefined && { traceparent }),
    payload: entry.payload,
  };
}
