import { checkoutCompleted, checkoutFailed, fields } from '@latchkey/contracts';
import { systemContext } from '@latchkey/kit';
import { type NewEvent, newEvent } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { CheckoutDocument } from '../models/checkout.js';
import type { CallOptions, ProviderSession } from '../payment-provider.js';

/**
 * The event that has the receipt, or the note of a failed payment, sent. It needs only the session and its line items; the user is asked for only when the
 * buyer left no usable address. `null`: there is nowhere to send it.
 */
export function composeReceipt(deps: Pick<PaymentDependencies, 'clock' | 'logger' | 'provider' | 'users'>) {
  async function userOf(checkout: CheckoutDocument, correlationId: string) {
    if (checkout.userId === null) return null;
    const context = systemContext({ clock: deps.clock, requestId: correlationId });
    return (await deps.users.findUserById({ params: { user_id: String(checkout.userId) } }, context)).user;
  }

  return async (
    checkout: CheckoutDocument,
    session: ProviderSession,
    outcome: 'paid' | 'failed',
    correlationId: string,
    options: CallOptions = {},
  ): Promise<NewEvent | null> => {
    const items = await deps.provider.listLineItems(session.id, options);
    const given = fields.email.safeParse(session.email).data;
    const user = given === undefined ? await userOf(checkout, correlationId) : null;
    const to = given ?? user?.email;
    if (to === undefined) {
      deps.logger.warn({ checkoutId: checkout._id, outcome }, 'the buyer left no address to write to');
      return null;
    }
    return newEvent(outcome === 'paid' ? checkoutCompleted : checkoutFailed, {
      checkoutId: checkout._id,
      userId: checkout.userId,
      to,
      name: session.name ?? (user === null ? null : `${user.first_name} ${user.last_name}`.trim()),
      currency: session.currency ?? checkout.currency,
      amount: session.amount ?? items.reduce((sum, item) => sum + item.amount, 0),
      items,
      languages: checkout.languages,
      settledAt: new Date(deps.clock.now()).toISOString(),
    });
  };
}
