import { missing } from '../api-error.js';
import { metadata, text } from '../form-body.js';
import { listPage } from '../list-page.js';
import type { Customer } from '../objects.js';
import { endSubscription } from '../subscriptions.js';
import { emit, fresh, type World } from '../world.js';
import type { Operation } from './operation.js';

export function customerOperations(world: World): Operation[] {
  const { store } = world;
  const find = (id: string): Customer => {
    const customer = store.get('customer', id);
    if (customer === undefined) throw missing('customer', id);
    return customer;
  };
  const living = (id: string) => {
    const customer = find(id);
    if (customer.deleted) throw missing('customer', id);
    return customer;
  };
  return [
    [
      'GET',
      '/v1/customers',
      ({ form }) => {
        const email = text(form, 'email');
        const found = store.all('customer').filter((c) => !c.deleted && (email === undefined || c.email === email));
        return listPage(found, form, '/v1/customers');
      },
    ],
    ['GET', '/v1/customers/:id', ({ id }) => shown(find(id))],
    [
      'POST',
      '/v1/customers',
      ({ form }) =>
        createCustomer(world, {
          email: text(form, 'email') ?? null,
          name: text(form, 'name') ?? null,
          metadata: metadata(form),
        }),
    ],
    [
      'POST',
      '/v1/customers/:id',
      ({ id, form }) => {
        const before = living(id);
        const customer: Customer = {
          ...before,
          email: text(form, 'email') ?? before.email,
          name: text(form, 'name') ?? before.name,
          metadata: metadata(form, before.metadata),
        };
        emit(world, 'customer.updated', customer);
        return store.put('customer', customer);
      },
    ],
    [
      'DELETE',
      '/v1/customers/:id',
      ({ id }) => {
        const customer = living(id);
        for (const subscription of store.all('subscription'))
          if (subscription.customer === id && subscription.ended_at === null) endSubscription(world, subscription);
        emit(world, 'customer.deleted', customer);
        return shown(store.put('customer', { ...customer, deleted: true }));
      },
    ],
  ];
}

/** Of a deleted customer only its id is shown. */
function shown(customer: Customer): object {
  return customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : customer;
}

export function createCustomer(world: World, given: Pick<Customer, 'email' | 'name' | 'metadata'>): Customer {
  const customer: Customer = { ...fresh(world, 'cus', 'customer'), description: null, ...given };
  emit(world, 'customer.created', customer);
  return world.store.put('customer', customer);
}
