import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { advance } from '../domain/checkout-progress.js';
import type { CheckoutDocument } from '../models/checkout.js';
import { findCheckoutOf } from './apply-session-event.js';
import type { SettleCheckout } from './settle-checkout.js';

/**
 * A charge was given back, wholly: its checkout is refunded. When the news of the payment is still on its way the checkout is settled first, so that the
 * receipt is sent whatever the order (F27). Charges of later invoices of a subscription belong to no checkout.
 */
export function refundCheckout(deps: PaymentDependencies, settle: SettleCheckout) {
  async function find(paymentId: string, correlationId: string): Promise<CheckoutDocument | null> {
    const known = await guardDatabase(() => deps.models.checkouts.findOne({ paymentId }).lean<CheckoutDocument>());
    if (known?.status === 'paid' || known?.status === 'refunded') return known;
    const session = await deps.provider.findSessionOfPayment(paymentId);
    const checkout = known ?? (session && (await findCheckoutOf(deps.models, session)));
    return session && checkout ? settle(checkout, session, { correlationId }) : checkout;
  }

  return async (chargeId: string, correlationId: string): Promise<void> => {
    const charge = await deps.provider.retrieveCharge(chargeId);
    if (charge === null || !charge.refunded || charge.paymentId === null) return;
    const checkout = await find(charge.paymentId, correlationId);
    if (checkout === null) return;
    await deps.aggregates.change(
      deps.models.checkouts,
      { _id: checkout._id },
      (current: CheckoutDocument) =>
        current.status !== 'refunded' && advance(current.status, 'refunded') === 'refunded'
          ? { $set: { status: 'refunded', refundedAt: new Date(deps.clock.now()) } }
          : null,
      correlationId,
    );
  };
}
