import { bindings } from '@latchkey/contracts';
import { type Subscription, subscribe } from '@latchkey/messaging';
import type { PaymentDependencies } from './dependencies.js';
import { eventHandlers } from './event-handlers.js';
import { applyStripeEvent } from './use-cases/apply-stripe-event.js';
import type { RefreshCatalogue } from './use-cases/refresh-catalogue.js';
import type { SettleCheckout } from './use-cases/settle-checkout.js';
import { settleDeletedUser } from './use-cases/settle-deleted-user.js';
import { updateCustomerEmail } from './use-cases/update-customer-email.js';

/** Everything that the payment processor listens to. */
export function paymentSubscriptions(
  deps: PaymentDependencies,
  steps: { settleCheckout: SettleCheckout; refreshCatalogue: RefreshCatalogue },
): Subscription[] {
  return [
    subscribe(bindings.applyStripeEvent, applyStripeEvent(deps, eventHandlers(deps, steps))),
    subscribe(bindings.settleDeletedUser, settleDeletedUser(deps)),
    subscribe(bindings.updateCustomerEmail, updateCustomerEmail(deps)),
  ];
}
