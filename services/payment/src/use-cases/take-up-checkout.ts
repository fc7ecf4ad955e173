import { createHash } from 'node:crypto';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { CheckoutDocument } from '../models/checkout.js';

/** Longer than any call of the provider by somebody who waits. */
export const CLAIM_MS = 20_000;
/** Past this age the provider may have forgotten the idempotency key; a session that was made then has expired without anybody knowing its address. */
export const RESUMABLE_MS = 20 * 3600 * 1000;

/** Who asks for what: two asks with the same key may be one attempt, repeated. Hashed, since an address is personal data. */
export function attemptKey(o: { userId: number | null; address: string; priceId: string; quantity: number }): string {
  const who = o.userId === null ? `address ${o.address}` : `user ${o.userId}`;
  return createHash('sha256').update(`${who}\n${o.priceId}\n${o.quantity}`).digest('hex');
}

export type TakeUpCheckout = (attempt: string, customerId: string | null) => Promise<CheckoutDocument | null>;

/**
 * An unfinished checkout of the same attempt: stored, but its caller never got an answer (an error, a crash). Nobody was told of it, so that the next ask
 * may go on with it and the provider makes no second session. One that is being worked on is left alone.
 */
export function takeUpCheckout({ clock, models }: Pick<PaymentDependencies, 'clock' | 'models'>): TakeUpCheckout {
  return (attempt, customerId) => {
    const now = clock.now();
    const abandoned = { $or: [{ claimedUntil: { $exists: false } }, { claimedUntil: { $lt: new Date(now) } }] };
    return guardDatabase(() =>
      models.checkouts
        .findOneAndUpdate(
          { attempt, customerId, status: 'open', createdAt: { $gt: new Date(now - RESUMABLE_MS) }, ...abandoned },
          { $set: { claimedUntil: new Date(now + CLAIM_MS) } },
          { returnDocument: 'after' },
        )
        .lean<CheckoutDocument>(),
    );
  };
}
