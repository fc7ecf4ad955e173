import type { paymentApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { toProblem } from '../provider-faults.js';

const PATIENCE_MS = 5_000;

/** Whether billing stands in the way of deleting a user. The provider itself is asked; when it cannot be, nobody is told that all is settled. */
export function reportBillingState({
  config,
  models,
  provider,
}: Pick<PaymentDependencies, 'config' | 'models' | 'provider'>): Handler<typeof paymentApi.billingState> {
  return async ({ params }) => {
    if (config.billingOnDelete !== 'refuse') return { open: false };
    const customer = await guardDatabase(() => models.customers.findOne({ _id: params.user_id }).lean());
    if (customer?.customerId === undefined) return { open: false };
    try {
      const subscriptions = await provider.listSubscriptions(customer.customerId, { within: PATIENCE_MS });
      return { open: subscriptions.some((subscription) => subscription.open) };
    } catch (error) {
      throw toProblem(error);
    }
  };
}
