import { type CallContext, Problem } from '@latchkey/kit';
import type { BillingClient } from '../billing-client.js';
import type { Dependencies } from '../dependencies.js';
import { findVisibleUser } from './find-visible-user.js';

/**
 * BILLING_ON_DELETE=refuse: asks payment before a deletion is accepted. Throws `billing-open` while a subscription of the user has not ended, and
 * `service-unavailable` when payment, or the provider behind it, cannot say: nobody is deleted on a guess. Under the other policies billing is
 * settled after the deletion, by its event.
 */
export async function requireSettledBilling(deps: Dependencies, userId: number, context: CallContext): Promise<void> {
  if (deps.billing === null) return;
  if ((await findVisibleUser(deps, userId, false)) === null) throw new Problem('not-found');
  if (await isOpen(deps.billing, userId, context)) throw new Problem('billing-open');
}

async function isOpen(billing: BillingClient, userId: number, context: CallContext): Promise<boolean> {
  try {
    return (await billing.billingState({ params: { user_id: String(userId) } }, context)).open;
  } catch (error) {
    throw new Problem('service-unavailable', {
      detail: 'Whether billing is still open could not be found out',
      retryAfter: 5,
      cause: error,
    });
  }
}
