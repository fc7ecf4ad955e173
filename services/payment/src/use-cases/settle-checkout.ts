import type { Change, NewEvent } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { advance, isUnsettled, statusOf } from '../domain/checkout-progress.js';
import type { CheckoutDocument } from '../models/checkout.js';
import type { CallOptions, ProviderSession } from '../payment-provider.js';
import type { composeReceipt } from './compose-receipt.js';
import { expiry } from './expire-checkout.js';

export interface SettleOptions extends CallOptions {
  readonly correlationId: string;
  /** An event said that a delayed payment was refused. */
  readonly refused?: boolean;
}

/** Brings a checkout to where the provider's session is. Returns it as it is then. */
export type SettleCheckout = (
  checkout: CheckoutDocument,
  session: ProviderSession,
  options: SettleOptions,
) => Promise<CheckoutDocument>;

/**
 * The one way a checkout settles, for the webhook, the success page and the reconciler alike. The new state and the event that has the receipt sent are one
 * write on condition of the old state: of many that settle at once, one writes, and there is one receipt (F26, F27, F31).
 */
export function settleCheckout(deps: PaymentDependencies, compose: ReturnType<typeof composeReceipt>): SettleCheckout {
  return async (checkout, session, options) => {
    const found = statusOf(session, options.refused);
    const status = advance(checkout.status, found);
    const tells = status !== checkout.status && (status === 'paid' || status === 'failed') ? status : null;
    const receipt = tells && (await compose(checkout, session, tells, options.correlationId, options));
    await deps.crashPoint('settle.before');
    const settled = await deps.aggregates.change(
      deps.models.checkouts,
      { _id: checkout._id },
      (current: CheckoutDocument) => decide(current, session, advance(current.status, found), receipt, deps),
      options.correlationId,
    );
    await deps.crashPoint('settle.done');
    return settled ?? checkout;
  };
}

function decide(
  current: CheckoutDocument,
  session: ProviderSession,
  status: CheckoutDocument['status'],
  receipt: NewEvent | null,
  deps: Pick<PaymentDependencies, 'clock' | 'config'>,
): Change | null {
  const news = {
    ...(current.sessionId === undefined && { sessionId: session.id, expiresAt: session.expiresAt }),
    ...(current.paymentId === undefined && session.paymentId !== null && { paymentId: session.paymentId }),
    ...(current.subscriptionId === undefined &&
      session.subscriptionId !== null && { subscriptionId: session.subscriptionId }),
  };
  if (status === current.status) return Object.keys(news).length > 0 ? { $set: news } : null;
  if (status === 'expired') {
    const end = expiry(current, deps);
    return end && { ...end, $set: { ...news, ...end.$set } };
  }
  return {
    $set: {
      ...news,
      status,
      ...(session.amount !== null && { amount: session.amount }),
      ...(session.currency !== null && { currency: session.currency }),
      ...(!isUnsettled(status) && { settledAt: new Date(deps.clock.now()) }),
    },
    $unset: { attempt: 1, claimedUntil: 1 },
    events: receipt !== null && (status === 'paid' || status === 'failed') ? [receipt] : [],
  };
}
