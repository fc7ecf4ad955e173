import type { Checkout } from '@latchkey/contracts';
import type { CheckoutDocument } from '../models/checkout.js';

/** A checkout as responses show it: no email, no name, no user. */
export function presentCheckout(checkout: CheckoutDocument): Checkout {
  return {
    id: checkout._id,
    status: checkout.status,
    url: checkout.status === 'open' ? (checkout.url ?? null) : null,
    expires_at: checkout.expiresAt?.toISOString() ?? null,
    mode: checkout.mode,
    price: checkout.priceId,
    quantity: checkout.quantity,
    currency: checkout.currency,
    amount: checkout.amount,
    created_at: checkout.createdAt.toISOString(),
    settled_at: checkout.settledAt?.toISOString() ?? null,
  };
}
