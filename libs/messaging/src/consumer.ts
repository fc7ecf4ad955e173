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
  /** Errors beside `UnavailableError` and 503 problems that spend no attempt; services pass persistence's `isUnavailable`. */
  readonly isUnavailable?: (error: unknown) => boolean;
  readonly metrics?: Metrics | undefined;
}

const STOP_LIMIT_MS = 8_000;
/** A delivery that comes while this service stops goes back untouched. */
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
  let stopping = false;
  let consuming = false;

  async function consume(subscription: Subscription): Promise<void> {
    const { queue } = subscription.binding;
    await o.queue.consume(queue, {
      prefetch: o.prefetch ?? 10,
      onDead: (dead) => o.deadLetters.store(dead),
      async onDelivery(delivery) {
        if (stopping) return stopped;
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
      stopping = false;
      // The engine goes on delivering until it is stopped itself: a second start only opens the door again.
      if (consuming) return;
      consuming = true;
      await Promise.all(o.subscriptions.map(consume));
    },
    async stop() {
      stopping = true;
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_LIMIT_MS);
      });
      await Promise.race([Promise.allSettled(underWay), limit]);
      clearTimeout(timer);
    },
  };
}
