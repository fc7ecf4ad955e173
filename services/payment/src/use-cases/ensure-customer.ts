import { randomBytes } from 'node:crypto';
import { customerLinked } from '@latchkey/contracts';
import { type CallContext, systemContext } from '@latchkey/kit';
import { guardDatabase, isDuplicateKey, newEvent } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { CustomerDocument } from '../models/customer.js';
import type { CallOptions } from '../payment-provider.js';

/** Past this age the provider may have forgotten an idempotency key (Stripe keeps them for 24 h). */
const KEY_LIFETIME_MS = 12 * 3600 * 1000;

export const newIdempotencyKey = () => randomBytes(16).toString('hex');

/**
 * The provider's customer of a user: the one linked, or a new one, linked with the event that tells of it. The key is stored before the provider is
 * called, so that a call whose answer was lost does not make a second customer. `null`: the user is deleted.
 */
export function ensureCustomer(deps: PaymentDependencies) {
  const { customers } = deps.models;

  async function findUser(userId: number, context: CallContext) {
    const system = systemContext({ clock: deps.clock, requestId: context.requestId });
    const { user } = await deps.users.findUserById(
      { params: { user_id: String(userId) } },
      { ...system, deadline: Math.min(system.deadline, context.deadline) },
    );
    return user === null || user.deletedAt !== null ? null : user;
  }

  async function store(userId: number, context: CallContext): Promise<CustomerDocument | null> {
    const user = await findUser(userId, context);
    if (user === null) return null;
    const created: Omit<CustomerDocument, 'version' | 'outbox'> = {
      _id: userId,
      provider: deps.provider.name,
      email: user.email,
      name: `${user.first_name} ${user.last_name}`.trim(),
      idempotencyKey: newIdempotencyKey(),
      createdAt: new Date(deps.clock.now()),
    };
    try {
      return await deps.aggregates.insert(customers, created, [], context.requestId);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return guardDatabase(() => customers.findOne({ _id: userId }).lean<CustomerDocument>());
    }
  }

  async function make(customer: CustomerDocument, options: CallOptions): Promise<string> {
    const { _id: userId, email, name, idempotencyKey, createdAt } = customer;
    const old = deps.clock.now() - createdAt.getTime() > KEY_LIFETIME_MS;
    const found = old ? await deps.provider.findCustomer({ userId, email }, options) : null;
    return found ?? deps.provider.createCustomer({ userId, email, name, idempotencyKey }, options);
  }

  return async (userId: number, context: CallContext, options: CallOptions): Promise<string | null> => {
    const present = await guardDatabase(() => customers.findOne({ _id: userId }).lean<CustomerDocument>());
    const customer = present ?? (await store(userId, context));
    if (customer === null || customer.userDeletedAt !== undefined) return null;
    if (customer.customerId !== undefined) return customer.customerId;
    await deps.crashPoint('customer.stored');
    const customerId = await make(customer, options);
    await deps.crashPoint('customer.made');
    const linked = await deps.aggregates.change(
      customers,
      { _id: userId },
      (current: CustomerDocument) =>
        current.customerId !== undefined
          ? null
          : {
              $set: { customerId, linkedAt: new Date(deps.clock.now()) },
              events: [newEvent(customerLinked, { userId, paymentCustomerId: customerId })],
            },
      context.requestId,
    );
    return linked?.customerId ?? customerId;
  };
}
