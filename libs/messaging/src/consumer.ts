import type { Clock, Component, Logger, Metrics } from '@latchkey/kit';
import { handleDelivery } from './handle-delivery.js';
import { measureQueues } from './measure-queues.js';
import type { DeadDelivery, MessageQueue, Outcome } from './port.js';
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
  /** For how long a stop goes on taking deliveries while others are under way, default 1,000. */
  readonly lastOrdersMs?: number;
  /** Errors beside `UnavailableError` and 503 problems that spend no attempt; services pass persistence's `isUnavailable`. */
  readonly isUnavailable?: (error: unknown) => boolean;
  readonly metrics?: Metrics | undefined;
}

const STOP_LIMIT_MS = 8_000;
/** While others are under way, what comes to a service that stops is handled still, for so long: sent back, each would make room for the next to be sent back. */
const USUAL_LAST_ORDERS_MS = 1_000;
/** A delivery that comes after that goes back untouched. */
const stopped: Outcome = { kind: 'retry', delay: 1, spendsAttempt: false, reason: 'the service is stopping' };

/** Runs a service's subscriptions. The queue itself is started and stopped by whoever composed it, after and before this. */
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
  const underWay = new Set<Promise<Outcome>>();
  /** On the process's own clock, ms: a delivery that comes later goes back. */
  let acceptsUntil = Number.POSITIVE_INFINITY;
  let consuming = false;

  async function consume(subscription: Subscription): Promise<void> {
    const { queue } = subscription.binding;
    await o.queue.consume(queue, {
      prefetch: o.prefetch ?? 10,
      onDead: (dead) => o.deadLetters.store(dead),
      async onDelivery(delivery) {
        if (performance.now() >= acceptsUntil) return stopped;
        const work = handleDelivery(subscription, delivery, deps);
        underWay.add(work);
        const outcome = await work;
        underWay.delete(work);
        outcomes?.inc({ queue, outcome: outcome.kind });
        return outcome;
      },
    });
  }

  return {
    name: 'consumer',
    async start() {
      acceptsUntil = Number.POSITIVE_INFINITY;
      // The engine goes on delivering until it is stopped itself: a second start only opens the door again.
      if (consuming) return;
      consuming = true;
      await Promise.all(o.subscriptions.map(consume));
    },
    async stop() {
      acceptsUntil = performance.now() + (o.lastOrdersMs ?? USUAL_LAST_ORDERS_MS);
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_LIMIT_MS);
      });
      const finish = async () => {
        while (underWay.size > 0) await Promise.allSettled(underWay);
      };
      await Promise.race([finish(), limit]);
      acceptsUntil = Number.NEGATIVE_INFINITY;
      clearTimeout(timer);
    },
  };
}
