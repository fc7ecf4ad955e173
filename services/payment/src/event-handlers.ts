import type { PaymentDependencies } from './dependencies.js';
import type { ActedOn } from './domain/acted-on.js';
import { applySessionEvent } from './use-cases/apply-session-event.js';
import type { RefreshCatalogue } from './use-cases/refresh-catalogue.js';
import { refundCheckout } from './use-cases/refund-checkout.js';
import type { SettleCheckout } from './use-cases/settle-checkout.js';
import { syncSubscription } from './use-cases/sync-subscription.js';
import { unlinkCustomer } from './use-cases/unlink-customer.js';

/** Applies the current state of an event's object. Safe to run again, in any order with others. */
export type EventHandler = (objectId: string, correlationId: string) => Promise<unknown>;

/** From the type of an event to what it leads to. */
export type EventHandlers = Readonly<Record<ActedOn, EventHandler>>;

export function eventHandlers(
  deps: PaymentDependencies,
  steps: { settleCheckout: SettleCheckout; refreshCatalogue: RefreshCatalogue },
): EventHandlers {
  const applySession = applySessionEvent(deps, steps.settleCheckout);
  const settleSession: EventHandler = (id, correlationId) => applySession(id, { correlationId, refused: false });
  const sync = syncSubscription(deps);
  const syncSubscriptionOf: EventHandler = async (invoiceId) => {
    const subscriptionId = await deps.provider.subscriptionOfInvoice(invoiceId);
    if (subscriptionId !== null) await sync(subscriptionId);
  };
  const refresh: EventHandler = () => steps.refreshCatalogue();

  return {
    'checkout.session.completed': settleSession,
    'checkout.session.async_payment_succeeded': settleSession,
    'checkout.session.async_payment_failed': (id, correlationId) => applySession(id, { correlationId, refused: true }),
    'checkout.session.expired': settleSession,
    'charge.refunded': refundCheckout(deps, steps.settleCheckout),
    'customer.deleted': unlinkCustomer(deps),
    'customer.subscription.*': (id) => sync(id),
    'invoice.paid': syncSubscriptionOf,
    'invoice.payment_failed': syncSubscriptionOf,
    'product.*': refresh,
    'price.*': refresh,
  };
}
