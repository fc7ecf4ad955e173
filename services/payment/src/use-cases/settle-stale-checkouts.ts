import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { statusOf } from '../domain/checkout-progress.js';
import type { CheckoutDocument } from '../models/checkout.js';
import { expireCheckout } from './expire-checkout.js';
import type { SettleCheckout } from './settle-checkout.js';

/** A checkout younger than this is left to the webhook and to the buyer's own page. */
const STALE_MS = 60_000;
const AT_ONCE = 500;

/** Asks the provider about checkouts that are unsettled for long. Resolves with how many are paid there and could not be settled here. */
export function settleStaleCheckouts(deps: PaymentDependencies, settle: SettleCheckout) {
  const { checkouts } = deps.models;
  const expire = expireCheckout(deps);

  /** True when it is paid at the provider and not here. */
  async function look(checkout: CheckoutDocument): Promise<boolean> {
    await guardDatabase(() =>
      checkouts.updateOne({ _id: checkout._id }, { $set: { askedAt: new Date(deps.clock.now()) } }),
    );
    const session = await deps.provider.retrieveSession(checkout.sessionId as string);
    if (session === null) {
      // The provider has forgotten it, or it is another account's: once its time is over nobody can pay it.
      const over = (checkout.expiresAt?.getTime() ?? 0) < deps.clock.now();
      if (over) await expire(checkout._id, { unfinished: false, correlationId: checkout._id });
      return false;
    }
    try {
      const settled = await settle(checkout, session, { correlationId: checkout._id });
      if (settled.status !== checkout.status)
        deps.logger.warn({ checkoutId: checkout._id, status: settled.status }, 'settled without its webhook');
      return false;
    } catch (error) {
      deps.logger.error({ err: error, checkoutId: checkout._id }, 'a checkout could not be settled');
      return statusOf(session) === 'paid';
    }
  }

  return async (signal?: AbortSignal): Promise<number> => {
    let paidUnfulfilled = 0;
    for (const status of ['open', 'processing'] as const) {
      // Those asked about longest ago first: each run goes on where the one before ended.
      const stale = await guardDatabase(() =>
        checkouts.find({ status }).sort({ askedAt: 1 }).limit(AT_ONCE).lean<CheckoutDocument[]>(),
      );
      for (const checkout of stale) {
        if (signal?.aborted) return paidUnfulfilled;
        const age = deps.clock.now() - checkout.createdAt.getTime();
        if (checkout.sessionId !== undefined && age > STALE_MS && (await look(checkout))) paidUnfulfilled += 1;
      }
    }
    return paidUnfulfilled;
  };
}
