import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { CheckoutDocument } from '../models/checkout.js';
import type { ProviderSession } from '../payment-provider.js';
import type { SettleCheckout } from './settle-checkout.js';

/** Our checkout of a session: by the session's id, or by ours in it when the process died before it could keep the session's. */
export async function findCheckoutOf(
  { checkouts }: PaymentDependencies['models'],
  session: Pick<ProviderSession, 'id' | 'checkoutId'>,
): Promise<CheckoutDocument | null> {
  return guardDatabase(async () => {
    const bySession = await checkouts.findOne({ sessionId: session.id }).lean<CheckoutDocument>();
    if (bySession !== null || session.checkoutId === null) return bySession;
    const byId = await checkouts.findOne({ _id: session.checkoutId }).lean<CheckoutDocument>();
    return byId?.sessionId === undefined ? byId : null;
  });
}

/** Something happened to a payment page: its current state is fetched and settles the checkout. Pages that others of the account made are none of ours. */
export function applySessionEvent(deps: PaymentDependencies, settle: SettleCheckout) {
  return async (sessionId: string, options: { correlationId: string; refused: boolean }): Promise<void> => {
    const session = await deps.provider.retrieveSession(sessionId);
    const checkout = session && (await findCheckoutOf(deps.models, session));
    if (session && checkout) await settle(checkout, session, options);
  };
}
