import { customerLinked } from '@latchkey/contracts';
import { guardDatabase, newEvent } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { CustomerDocument } from '../models/customer.js';
import { newIdempotencyKey } from './ensure-customer.js';

/** The customer is gone at the provider: the user's next checkout makes another. Asks the provider first, so that an old event does no harm. */
export function unlinkCustomer(deps: Pick<PaymentDependencies, 'aggregates' | 'clock' | 'models' | 'provider'>) {
  return async (customerId: string, correlationId: string): Promise<void> => {
    const { customers } = deps.models;
    const customer = await guardDatabase(() => customers.findOne({ customerId }).lean<CustomerDocument>());
    if (customer === null || (await deps.provider.customerExists(customerId))) return;
    await deps.aggregates.change(
      customers,
      { _id: customer._id },
      (current: CustomerDocument) =>
        current.customerId !== customerId
          ? null
          : {
              $set: { idempotencyKey: newIdempotencyKey(), createdAt: new Date(deps.clock.now()) },
              $unset: { customerId: 1, linkedAt: 1 },
              events: [newEvent(customerLinked, { userId: current._id, paymentCustomerId: null })],
            },
      correlationId,
    );
  };
}
