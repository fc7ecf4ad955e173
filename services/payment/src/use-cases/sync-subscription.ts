import { guardDatabase, retryUpsert } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { ProviderSubscription } from '../payment-provider.js';

/** Fetches a subscription and keeps it as it is now, unless a fetch that began later was kept already. One of a deleted user is ended. */
export function syncSubscription(deps: Pick<PaymentDependencies, 'clock' | 'config' | 'models' | 'provider'>) {
  const { subscriptions, customers } = deps.models;

  async function takeTicket(_id: string): Promise<number> {
    const take = () =>
      subscriptions
        .findOneAndUpdate({ _id }, { $inc: { tickets: 1 } }, { upsert: true, returnDocument: 'after' })
        .lean();
    return (await retryUpsert(take))?.tickets ?? 0;
  }

  async function endIfUserIsDeleted(subscription: ProviderSubscription): Promise<void> {
    if (!subscription.open || subscription.cancelAtPeriodEnd) return;
    const customer = await guardDatabase(() => customers.findOne({ customerId: subscription.customerId }).lean());
    if (customer?.userDeletedAt === undefined) return;
    const { billingOnDelete } = deps.config;
    await deps.provider.cancelSubscription(
      subscription,
      billingOnDelete === 'cancel-at-period-end' ? 'at-period-end' : 'now',
    );
  }

  return async (subscriptionId: string): Promise<void> => {
    const ticket = await guardDatabase(() => takeTicket(subscriptionId));
    const subscription = await deps.provider.retrieveSubscription(subscriptionId);
    if (subscription === null) return;
    const { id, ...state } = subscription;
    await guardDatabase(() =>
      subscriptions.updateOne(
        { _id: id, applied: { $lt: ticket } },
        { $set: { ...state, applied: ticket, fetchedAt: new Date(deps.clock.now()) } },
      ),
    );
    await endIfUserIsDeleted(subscription);
  };
}
