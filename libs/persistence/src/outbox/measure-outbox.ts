import type { Metrics } from '@latchkey/kit';
import type { PendingEvents } from './pending-events.js';
import type { Relay } from './relay.js';

/** Gauges to alert on: events that wait in outboxes grow and age when the queue is away (O1, O7). NaN while the database cannot be asked. */
export function measureOutbox(metrics: Metrics, relay: Pick<Relay, 'pending'>): void {
  const measure = (name: string, help: string, value: (pending: PendingEvents) => number) =>
    metrics.gauge(name, help, [], async (gauge) => {
      gauge.set(await relay.pending().then(value, () => Number.NaN));
    });
  measure('latchkey_outbox_pending', 'Aggregates with events to publish', ({ count }) => count);
  measure('latchkey_outbox_oldest_seconds', 'Age of the oldest event to publish', ({ oldestSeconds }) => oldestSeconds);
}
