import type { Message, PayloadOf, userDeleted } from '@latchkey/contracts';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { CheckoutDocument } from '../models/checkout.js';
import type { CustomerDocument } from '../models/customer.js';
import { sparingAttempts } from '../provider-faults.js';

/**
 * Ends the billing of a deleted user: its open payment pages are closed, its subscriptions cancelled as BILLING_ON_DELETE says. The customer and its link
 * are kept, since invoices name them. A subscription that begins a moment later is ended when its event comes.
 */
export function settleDeletedUser(deps: PaymentDependencies) {
  const { checkouts, customers } = deps.models;
  const when = deps.config.billingOnDelete === 'cancel-at-period-end' ? 'at-period-end' : 'now';

  return ({ payload, correlationId }: Message<PayloadOf<typeof userDeleted>>): Promise<void> =>
    sparingAttempts(async () => {
      const { userId } = payload;
      const customer = await deps.aggregates.change(
        customers,
        { _id: userId },
        (current: CustomerDocument) =>
          current.userDeletedAt === undefined ? { $set: { userDeletedAt: new Date(deps.clock.now()) } } : null,
        correlationId,
      );
      const open = await guardDatabase(() => checkouts.find({ userId, status: 'open' }).lean<CheckoutDocument[]>());
      for (const { sessionId } of open) if (sessionId !== undefined) await deps.provider.expireSession(sessionId);
      if (customer?.customerId === undefined) return;
      for (const subscription of await deps.provider.listSubscriptions(customer.customerId)) {
        if (subscription.open && !(when === 'at-period-end' && subscription.cancelAtPeriodEnd))
          await deps.provider.cancelSubscription(subscription, when);
      }
    });
}
