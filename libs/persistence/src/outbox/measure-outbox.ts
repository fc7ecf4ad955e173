import type { Metrics } from '@latchkey/kit';
import type { Relay } from './relay.js';

/** Gauges to alert on: events that wait in outboxes grow and age when the queue is away (O1, O7). */
export function measureOutbox(metrics: Metrics, relay: Relay): void {
  metrics.gauge('latchkey_outbox_pending', 'Aggregates with events to publish', [], async (gauge) => {
    gauge.set((await relay.pending()).count);
  });
  metrics.gauge('latchkey_outbox_oldest_seconds', 'Age of the oldest event to publish', [], async (gauge) => {
    gauge.set((await relay.pending()).oldestSeconds);
  });
}
