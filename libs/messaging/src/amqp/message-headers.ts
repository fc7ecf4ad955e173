import type { ConsumeMessage, MessagePropertyHeaders } from 'amqplib';
import type { DeadDelivery } from '../port.js';

/** What we write into a message's headers. The broker's own count is lost when a message moves to another queue, so that it is carried along. */
export interface CarriedHeaders {
  /** Attempts spent. */
  readonly attempt: number;
  /** Deliveries so far. */
  readonly deliveries: number;
  /** Consumers that died, or lost their connection, while they had it. */
  readonly deaths: number;
}

const names = { attempt: 'latchkey-attempt', deliveries: 'latchkey-deliveries', deaths: 'latchkey-deaths' } as const;
const dead = { reason: 'latchkey-reason', attempts: 'latchkey-attempts', diedAt: 'latchkey-died-at' } as const;

export function carriedHeaders(carried: CarriedHeaders): Record<string, number> {
  return {
    [names.attempt]: carried.attempt,
    [names.deliveries]: carried.deliveries,
    [names.deaths]: carried.deaths,
  };
}

/** Counts before this delivery; anything that is no count is 0. */
export function readCarried(message: ConsumeMessage): CarriedHeaders {
  const headers = message.properties.headers ?? {};
  const returned = Math.max(count(headers['x-delivery-count']), message.fields.redelivered ? 1 : 0);
  return {
    attempt: count(headers[names.attempt]),
    deliveries: count(headers[names.deliveries]) + returned,
    deaths: count(headers[names.deaths]) + returned,
  };
}

export function deadHeaders({ reason, attempts, diedAt }: Omit<DeadDelivery, 'queue' | 'body'>) {
  return { [dead.reason]: reason.slice(0, 1_000), [dead.attempts]: attempts, [dead.diedAt]: diedAt.getTime() };
}

/** A message of a dead queue, set aside by us or by the broker itself. */
export function readDead(queue: string, message: ConsumeMessage, now: number): DeadDelivery {
  const headers = message.properties.headers ?? {};
  const reason = headers[dead.reason];
  const byBroker = headers['x-death']?.[0];
  const diedAt = count(headers[dead.diedAt]) || count(byBroker?.time?.value) * 1_000 || now;
  return {
    queue,
    body: message.content,
    reason: typeof reason === 'string' ? reason : reasonOfBroker(headers),
    attempts: count(headers[dead.attempts]) || count(headers[names.attempt]),
    diedAt: new Date(diedAt),
  };
}

function reasonOfBroker(headers: MessagePropertyHeaders): string {
  const reason = String(headers['x-first-death-reason'] ?? 'unknown');
  if (reason === 'delivery_limit') return 'its consumer died again and again while handling it (delivery limit)';
  return `set aside by the broker: ${reason}`;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}
