import type { Service } from '@latchkey/kit';
import { databaseCheck, guardRoutes } from '@latchkey/persistence';
import { composePayment, type PaymentOptions } from './compose.js';
import { initPaymentModels } from './models/payment-models.js';
import { paymentRoutes } from './routes.js';

/** The payment API: products, checkouts, and the intake of the provider's webhook. The processor acts on what it takes in. */
export function createPayment(o: PaymentOptions): Service {
  const { deps, relay } = composePayment(o);
  return {
    name: 'payment',
    routes: guardRoutes(paymentRoutes(deps)),
    checks: [databaseCheck(o.connection), { name: 'queue', critical: false, run: () => o.queue.check() }],
    async start() {
      await initPaymentModels(deps.models);
      await relay.start();
    },
    stop: () => relay.stop(),
  };
}
