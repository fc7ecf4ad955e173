import type { Clock, Component, Logger, Metrics } from '@latchkey/kit';
import { handleDelivery } from './handle-delivery.js';
import { measureQueues } from './measure-queues.js';
import type { Consumption, DeadDelivery, MessageQueue } from './port.js';
import type { Subscription } from './subscription.js';

export interface ConsumerOptions {
  readonly queue: MessageQueue;
  readonly subscriptions: readonly Subscription[];
  /** Takes over what died, durably. */
  readonly deadLetters: { store(dead: DeadDelivery): Promise<void> };
  readonly clock: Clock;
  readonly logger: Logger;
  /** Deliveries of one queue that are handled at once; default 10. */
  readonly prefetch?: number;
  readonly random?: () => number;
  readonly handlerLimitMs?: number;
  /** Errors beside `UnavailableError` and 503 problems that spend no attempt; services pass persistence's `isUnavailable`. */
  readonly isUnavailable?: (error: unknown) => boolean;
  readonly metrics?: Metrics | undefined;
}

/** Runs a service's subscriptions. The queue itself is started before this and stopped after it, by whoever composed it. */
export function createConsumer(o: ConsumerOptions): Component {
  const deps = {
    clock: o.clock,
    logger: o.logger,
    random: o.random ?? Math.random,
    handlerLimitMs: o.handlerLimitMs ?? 60_000,
    isUnavailable: o.isUnavailable ?? (() => false),
  };
  const outcomes = o.metrics?.counter('latchkey_deliveries_total', 'Deliveries by how they ended', [
    'queue',
    'outcome',
  ]);
  if (o.metrics) measureQueues(o.metrics, o.queue, o.subscriptions);
  const begun: Consumption[] = [];
  let started = false;

  async function consume(subscription: Subscription): Promise<void> {
    const { queue } = subscription.binding;
    const consumption = await o.queue.consume(queue, {
      prefetch: o.prefetch ?? 10,
      onDead: (dead) => o.deadLetters.store(dead),
      async onDelivery(delivery) {
        const outcome = await handleDelivery(subscription, delivery, deps);
        outcomes?.inc({ queue, outcome: outcome.kind });
        return outcome;
      },
    });
    // Whoever starts can be told to stop meanwhile.
    if (started) begun.push(consumption);
    else await consumption.stop();
  }

  return {
    name: 'consumer',
    async start() {
      if (started) return;
      started = true;
      await Promise.all(o.subscriptions.map(consume));
    },
    /** What comes meanwhile stays in its queue (F6): taken and sent back, each would make room for the next to be sent back. */
    async stop() {
      started = false;
      await Promise.all(begun.splice(0).map((consumption) => consumption.stop()));
    },
  };
}
