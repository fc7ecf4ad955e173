import type { Metrics } from '@latchkey/kit';
import { isRetryQueue } from './names.js';
import type { MessageQueue } from './port.js';
import type { Subscription } from './subscription.js';

/**
 * Gauges of the queues that a service consumes: what is ready, what waits for a retry, what is dead and not yet taken over (P11); and of the queues in which
 * retries of all consumers wait together, told by every service alike. While the engine is away they are left out: a scrape that fails as a whole would hide
 * everything else just then.
 */
export function measureQueues(metrics: Metrics, queue: MessageQueue, subscriptions: readonly Subscription[]): void {
  const own = new Set(subscriptions.map(({ binding }) => binding.queue));
  for (const state of ['ready', 'delayed', 'dead'] as const) {
    metrics.gauge(`latchkey_queue_${state}`, `Messages ${state}, by queue`, ['queue'], async (gauge) => {
      gauge.reset();
      const depths = await queue.depths().catch(() => ({}));
      for (const [name, depth] of Object.entries(depths)) {
        if (own.has(name) || isRetryQueue(name)) gauge.set({ queue: name }, depth[state]);
      }
    });
  }
}
