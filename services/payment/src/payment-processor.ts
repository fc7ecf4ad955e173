import type { Service } from '@latchkey/kit';
import { createConsumer } from '@latchkey/messaging';
import {
  createDeadLetters,
  createLease,
  createSweep,
  databaseCheck,
  guardRoutes,
  isUnavailable,
} from '@latchkey/persistence';
import { composePayment, type PaymentOptions } from './compose.js';
import { initPaymentModels } from './models/payment-models.js';
import { paymentSubscriptions } from './subscriptions.js';
import { composeReceipt } from './use-cases/compose-receipt.js';
import { fetchMissedEvents } from './use-cases/fetch-missed-events.js';
import { openSession } from './use-cases/open-session.js';
import { reconcile } from './use-cases/reconcile.js';
import { refreshCatalogue } from './use-cases/refresh-catalogue.js';
import { resumeCheckouts } from './use-cases/resume-checkouts.js';
import { settleCheckout } from './use-cases/settle-checkout.js';
import { settleStaleCheckouts } from './use-cases/settle-stale-checkouts.js';
import { storeEvent } from './use-cases/store-event.js';

export interface PaymentProcessor extends Service {
  /** A whole run of the reconciler that begins now. */
  reconcileNow(): Promise<void>;
}

/** The payment processor: acts on the events that the API took in, and reconciles with the provider what no event told of. */
export function createPaymentProcessor(o: PaymentOptions): PaymentProcessor {
  const { config, logger, clock, connection, queue } = o;
  const { deps, relay } = composePayment(o);
  const settle = settleCheckout(deps, composeReceipt(deps));
  const deadLetters = createDeadLetters({
    connection,
    service: 'payment-processor',
    queue,
    clock,
    retentionDays: config.retentionDays,
  });
  const consumer = createConsumer({
    queue,
    subscriptions: paymentSubscriptions(deps, { settleCheckout: settle, refreshCatalogue: refreshCatalogue(deps) }),
    deadLetters,
    clock,
    logger,
    isUnavailable,
    metrics: o.metrics,
  });
  const unfulfilled = o.metrics?.gauge('checkouts_paid_unfulfilled', 'Paid at the provider, not settled here');
  const run = reconcile(deps, {
    resumeCheckouts: resumeCheckouts(deps, openSession(deps)),
    settleStaleCheckouts: settleStaleCheckouts(deps, settle),
    fetchMissedEvents: fetchMissedEvents(deps, storeEvent(deps)),
    report: (count) => unfulfilled?.set(count),
  });
  const reconciler = createSweep({
    name: 'reconciler',
    every: config.reconcileInterval,
    run,
    lease: createLease({ connection, name: 'payment-reconciler' }),
    logger,
  });
  const parts = [relay, consumer, reconciler];

  return {
    name: 'payment-processor',
    routes: guardRoutes(deadLetters.routes),
    checks: [databaseCheck(connection), { name: 'queue', critical: false, run: () => queue.check() }],
    reconcileNow: () => reconciler.runNow(),
    async start() {
      await Promise.all([initPaymentModels(deps.models), deadLetters.init()]);
      for (const part of parts) await part.start();
    },
    async stop() {
      for (const part of [...parts].reverse()) await part.stop();
    },
  };
}
