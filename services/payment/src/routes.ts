import { paymentApi } from '@latchkey/contracts';
import { type Route, route } from '@latchkey/kit';
import type { PaymentDependencies } from './dependencies.js';
import { composeReceipt } from './use-cases/compose-receipt.js';
import { ensureCustomer } from './use-cases/ensure-customer.js';
import { limitCheckouts } from './use-cases/limit-checkouts.js';
import { listProducts } from './use-cases/list-products.js';
import { listWebhookEvents } from './use-cases/list-webhook-events.js';
import { openSession } from './use-cases/open-session.js';
import { receiveWebhook } from './use-cases/receive-webhook.js';
import { refreshCatalogue } from './use-cases/refresh-catalogue.js';
import { replayWebhookEvent } from './use-cases/replay-webhook-event.js';
import { reportBillingState } from './use-cases/report-billing-state.js';
import { settleCheckout } from './use-cases/settle-checkout.js';
import { showCheckout } from './use-cases/show-checkout.js';
import { showWebhookEvent } from './use-cases/show-webhook-event.js';
import { startCheckout } from './use-cases/start-checkout.js';
import { storeEvent } from './use-cases/store-event.js';
import { takeUpCheckout } from './use-cases/take-up-checkout.js';
import { unlinkCustomer } from './use-cases/unlink-customer.js';

/** Everything that the payment API offers. */
export function paymentRoutes(deps: PaymentDependencies): Route[] {
  const refresh = refreshCatalogue(deps);
  const products = listProducts(deps, refresh);
  const begin = startCheckout(deps, {
    limitCheckouts: limitCheckouts(deps),
    listProducts: products,
    refreshCatalogue: refresh,
    ensureCustomer: ensureCustomer(deps),
    unlinkCustomer: unlinkCustomer(deps),
    takeUpCheckout: takeUpCheckout(deps),
    openSession: openSession(deps),
  });
  const settle = settleCheckout(deps, composeReceipt(deps));

  return [
    route(paymentApi.listProducts, async () => ({ products: [...(await products())] })),
    route(paymentApi.startCheckout, begin),
    route(paymentApi.showCheckout, showCheckout(deps, settle)),
    route(paymentApi.receiveWebhook, receiveWebhook(deps, storeEvent(deps))),
    route(paymentApi.listWebhookEvents, listWebhookEvents(deps)),
    route(paymentApi.showWebhookEvent, showWebhookEvent(deps)),
    route(paymentApi.replayWebhookEvent, replayWebhookEvent(deps)),
    route(paymentApi.billingState, reportBillingState(deps)),
  ];
}
