import { invalid, missing } from '../api-error.js';
import { type Form, flag, text, whole } from '../form-body.js';
import { listPage } from '../list-page.js';
import type { Charge, Kind, Kinds } from '../objects.js';
import { endSubscription } from '../subscriptions.js';
import { emit, fresh, seconds, type World } from '../world.js';
import type { Operation } from './operation.js';

/** Subscriptions, invoices, payments and refunds. */
export function billingOperations(world: World): Operation[] {
  const { store } = world;
  const find = <K extends Kind>(kind: K, name: string, id: string): Kinds[K] => {
    const found = store.get(kind, id);
    if (found === undefined) throw missing(name, id);
    return found;
  };
  return [
    [
      'GET',
      '/v1/subscriptions',
      ({ form }) => {
        const customer = text(form, 'customer');
        const status = text(form, 'status');
        const found = store
          .all('subscription')
          .filter(
            (subscription) =>
              (customer === undefined || subscription.customer === customer) &&
              (status === 'all' ||
                (status === undefined ? subscription.status !== 'canceled' : subscription.status === status)),
          );
        return listPage(found, form, '/v1/subscriptions');
      },
    ],
    ['GET', '/v1/subscriptions/:id', ({ id }) => find('subscription', 'subscription', id)],
    [
      'POST',
      '/v1/subscriptions/:id',
      ({ id, form }) => {
        const before = find('subscription', 'subscription', id);
        if (before.ended_at !== null) throw missing('subscription', id);
        const atEnd = flag(form, 'cancel_at_period_end') ?? before.cancel_at_period_end;
        const after = { ...before, cancel_at_period_end: atEnd, canceled_at: atEnd ? seconds(world) : null };
        emit(world, 'customer.subscription.updated', after);
        return store.put('subscription', after);
      },
    ],
    [
      'DELETE',
      '/v1/subscriptions/:id',
      ({ id }) => {
        const before = find('subscription', 'subscription', id);
        if (before.ended_at !== null) throw missing('subscription', id);
        return endSubscription(world, before);
      },
    ],
    ['GET', '/v1/invoices', ({ form }) => listPage(of(store.all('invoice'), form, 'customer'), form, '/v1/invoices')],
    ['GET', '/v1/invoices/:id', ({ id }) => find('invoice', 'invoice', id)],
    [
      'GET',
      '/v1/payment_intents',
      ({ form }) => listPage(of(store.all('paymentIntent'), form, 'customer'), form, '/v1/payment_intents'),
    ],
    ['GET', '/v1/payment_intents/:id', ({ id }) => find('paymentIntent', 'payment_intent', id)],
    [
      'GET',
      '/v1/charges',
      ({ form }) => listPage(of(store.all('charge'), form, 'payment_intent'), form, '/v1/charges'),
    ],
    ['GET', '/v1/charges/:id', ({ id }) => find('charge', 'charge', id)],
    [
      'GET',
      '/v1/refunds',
      ({ form }) => listPage(of(store.all('refund'), form, 'payment_intent'), form, '/v1/refunds'),
    ],
    ['POST', '/v1/refunds', ({ form }) => refund(world, form)],
  ];
}

function of<T extends object, N extends keyof T & string>(items: T[], form: Form, name: N): T[] {
  const wanted = text(form, name);
  return wanted === undefined ? items : items.filter((item) => item[name] === wanted);
}

function refund(world: World, form: Form): object {
  const charge = chargeOf(world, form);
  const left = charge.amount - charge.amount_refunded;
  const amount = whole(form, 'amount') ?? left;
  if (amount < 1 || amount > left)
    throw invalid(
      'amount',
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'charge_already_refunded',
    );
  const after: Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: charge.amount_refunded + amount === charge.amount,
  };
  world.store.put('charge', after);
  const made = world.store.put('refund', {
    ...fresh(world, 're', 'refund'),
    amount,
    charge: charge.id,
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    reason: text(form, 'reason') ?? null,
    status: 'succeeded',
  });
  emit(world, 'refund.created', made);
  emit(world, 'charge.refunded', after);
  return made;
}

function chargeOf(world: World, form: Form): Charge {
  const intent = text(form, 'payment_intent');
  const id =
    text(form, 'charge') ??
    (intent === undefined ? undefined : world.store.get('paymentIntent', intent)?.latest_charge);
  const charge = id == null ? undefined : world.store.get('charge', id);
  if (charge === undefined) throw missing('charge', id ?? intent ?? '', 'charge', 400);
  return charge;
}
