import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { CheckoutDocument } from '../models/checkout.js';
import { expireCheckout } from './expire-checkout.js';
import type { openSession } from './open-session.js';
import { CLAIM_MS, RESUMABLE_MS } from './take-up-checkout.js';

const AT_ONCE = 200;

/** Finishes checkouts whose process died between our record and the provider's answer; too old ones have expired at the provider and do so here (F30). */
export function resumeCheckouts(deps: PaymentDependencies, open: ReturnType<typeof openSession>) {
  const { checkouts } = deps.models;

  const expire = expireCheckout(deps);

  return async (signal?: AbortSignal): Promise<void> => {
    const now = deps.clock.now();
    const unfinished = await guardDatabase(() =>
      checkouts
        .find({ status: 'open', createdAt: { $lt: new Date(now - CLAIM_MS) }, sessionId: { $exists: false } })
        .sort({ createdAt: 1 })
        .limit(AT_ONCE)
        .lean<CheckoutDocument[]>(),
    );
    for (const checkout of unfinished) {
      if (signal?.aborted) return;
      if ((checkout.claimedUntil?.getTime() ?? 0) > now) continue;
      try {
        if (now - checkout.createdAt.getTime() > RESUMABLE_MS)
          await expire(checkout._id, { unfinished: true, correlationId: checkout._id });
        else await open(checkout, checkout._id, {});
      } catch (error) {
        deps.logger.warn({ err: error, checkoutId: checkout._id }, 'an unfinished checkout could not be resumed');
      }
    }
  };
}
