import type { PaymentDependencies } from '../dependencies.js';
import type { CheckoutDocument } from '../models/checkout.js';
import { type CallOptions, ProviderError, type ProviderSession } from '../payment-provider.js';
import { newIdempotencyKey } from './ensure-customer.js';

/**
 * Asks the provider for the payment page of a stored checkout and keeps the answer. May be run again for the same checkout, by the next ask or by the
 * reconciler: the same key and the same parameters give the same session (F30). Rejects with `ProviderError`; the checkout then stays to be taken up again.
 */
export function openSession(deps: PaymentDependencies) {
  const { checkouts } = deps.models;

  async function create(checkout: CheckoutDocument, options: CallOptions): Promise<ProviderSession> {
    return deps.provider.createSession({ ...checkout, checkoutId: checkout._id }, options);
  }

  /** The provider repeats for this key an error of its own, for good, or remembers other parameters: only another key helps. */
  function isStuck(error: unknown): boolean {
    if (!(error instanceof ProviderError)) return false;
    return (error.fault === 'failed' && error.details.replayed === true) || error.details.code === 'idempotency_error';
  }

  async function rekey(checkout: CheckoutDocument, correlationId: string): Promise<CheckoutDocument> {
    const $set = { idempotencyKey: newIdempotencyKey() };
    const same = (current: CheckoutDocument) => current.idempotencyKey === checkout.idempotencyKey;
    const change = (current: CheckoutDocument) => (same(current) ? { $set } : null);
    return (await deps.aggregates.change(checkouts, { _id: checkout._id }, change, correlationId)) ?? checkout;
  }

  return async (checkout: CheckoutDocument, correlationId: string, options: CallOptions): Promise<CheckoutDocument> => {
    let session: ProviderSession;
    try {
      session = await create(checkout, options);
    } catch (error) {
      if (!isStuck(error)) throw error;
      session = await create(await rekey(checkout, correlationId), options);
    }
    await deps.crashPoint('checkout.session-made');
    const kept = await deps.aggregates.change(
      checkouts,
      { _id: checkout._id },
      (current: CheckoutDocument) => (current.sessionId === undefined ? keep(session, current) : null),
      correlationId,
    );
    await deps.crashPoint('checkout.session-stored');
    return kept ?? checkout;
  };
}

function keep(session: ProviderSession, checkout: CheckoutDocument) {
  return {
    $set: {
      sessionId: session.id,
      expiresAt: session.expiresAt,
      amount: session.amount,
      currency: session.currency ?? checkout.currency,
      ...(session.url !== null && { url: session.url }),
      ...(session.paymentId !== null && { paymentId: session.paymentId }),
    },
    $unset: { attempt: 1, claimedUntil: 1 },
  } as const;
}
