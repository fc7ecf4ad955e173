import type { emailChanged, Message, PayloadOf } from '@latchkey/contracts';
import { systemContext } from '@latchkey/kit';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { sparingAttempts } from '../provider-faults.js';

/** Gives the provider's customer the user's email as it is now, so that two changes may come in any order. */
export function updateCustomerEmail(deps: Pick<PaymentDependencies, 'clock' | 'models' | 'provider' | 'users'>) {
  return ({ payload, correlationId }: Message<PayloadOf<typeof emailChanged>>): Promise<void> =>
    sparingAttempts(async () => {
      const customer = await guardDatabase(() => deps.models.customers.findOne({ _id: payload.userId }).lean());
      if (customer?.customerId === undefined) return;
      const context = systemContext({ clock: deps.clock, requestId: correlationId });
      const { user } = await deps.users.findUserById({ params: { user_id: String(payload.userId) } }, context);
      if (user !== null && user.deletedAt === null)
        await deps.provider.updateCustomerEmail(customer.customerId, user.email);
    });
}
