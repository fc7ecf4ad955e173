import type { Invoice, LineItem, Session, Subscription } from './objects.js';
import { emit, fresh, newId, seconds, type World } from './world.js';

/** A subscription with its first invoice, as a completed checkout makes them. Call inside of `store.change`. */
export function beginSubscription(
  world: World,
  session: Session & { customer: string },
  items: readonly LineItem[],
  paid: boolean,
): { subscription: Subscription; invoice: Invoice } {
  const base = fresh(world, 'sub', 'subscription');
  const subscription: Subscription = {
    ...base,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    currency: session.currency,
    customer: session.customer,
    ended_at: null,
    items: {
      object: 'list',
      has_more: false,
      url: `/v1/subscription_items?subscription=${base.id}`,
      data: items.map(({ price, quantity }) => ({
        id: newId('si', 14),
        object: 'subscription_item',
        created: base.created,
        current_period_start: base.created,
        current_period_end: periodEnd(base.created, price.recurring),
        metadata: {},
        price,
        quantity,
        subscription: base.id,
      })),
    },
    latest_invoice: null,
    start_date: base.created,
    status: paid ? 'active' : 'incomplete',
  };
  const invoice = bill(world, subscription, 'subscription_create', paid);
  const billed = world.store.put('subscription', { ...subscription, latest_invoice: invoice.id });
  emit(world, 'customer.subscription.created', billed);
  emit(world, paid ? 'invoice.paid' : 'invoice.created', invoice);
  return { subscription: billed, invoice };
}

function bill(world: World, subscription: Subscription, reason: Invoice['billing_reason'], paid: boolean): Invoice {
  const total = subscription.items.data.reduce((sum, item) => sum + item.price.unit_amount * item.quantity, 0);
  return world.store.put('invoice', {
    ...fresh(world, 'in', 'invoice'),
    amount_due: total,
    amount_paid: paid ? total : 0,
    billing_reason: reason,
    currency: subscription.currency,
    customer: subscription.customer,
    customer_email: world.store.get('customer', subscription.customer)?.email ?? null,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { subscription: subscription.id, metadata: {} },
    },
    status: paid ? 'paid' : 'open',
    total,
  });
}

/** A delayed first payment came to its end. */
export function concludeFirstInvoice(world: World, subscriptionId: string, paid: boolean): void {
  const subscription = world.store.get('subscription', subscriptionId);
  const invoice = world.store.get('invoice', subscription?.latest_invoice ?? '');
  if (subscription === undefined || invoice === undefined || subscription.status !== 'incomplete') return;
  const concluded = world.store.put('invoice', {
    ...invoice,
    status: paid ? 'paid' : 'void',
    amount_paid: paid ? invoice.total : 0,
  });
  emit(world, paid ? 'invoice.paid' : 'invoice.payment_failed', concluded);
  const ended_at = paid ? null : seconds(world);
  const after = { ...subscription, status: paid ? ('active' as const) : ('incomplete_expired' as const), ended_at };
  emit(world, 'customer.subscription.updated', world.store.put('subscription', after));
}

export function endSubscription(world: World, subscription: Subscription): Subscription {
  const now = seconds(world);
  const ended = {
    ...subscription,
    status: 'canceled' as const,
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
  };
  emit(world, 'customer.subscription.deleted', ended);
  return world.store.put('subscription', ended);
}

/** Renews or ends what has come to the end of its period. */
export function renewSubscriptions(world: World): void {
  const now = seconds(world);
  for (const subscription of world.store.all('subscription')) {
    const due = subscription.items.data.some((item) => item.current_period_end <= now);
    if (subscription.status !== 'active' || !due) continue;
    world.store.change(() => {
      if (subscription.cancel_at_period_end) return void endSubscription(world, subscription);
      const data = subscription.items.data.map((item) => ({
        ...item,
        current_period_start: item.current_period_end,
        current_period_end: periodEnd(Math.max(item.current_period_end, now), item.price.recurring),
      }));
      const invoice = bill(world, subscription, 'subscription_cycle', true);
      emit(world, 'invoice.paid', invoice);
      const renewed = { ...subscription, latest_invoice: invoice.id, items: { ...subscription.items, data } };
      emit(world, 'customer.subscription.updated', world.store.put('subscription', renewed));
    });
  }
}

function periodEnd(start: number, recurring: { interval: string; interval_count: number } | null): number {
  const count = recurring?.interval_count ?? 1;
  const end = new Date(start * 1000);
  if (recurring?.interval === 'day') end.setUTCDate(end.getUTCDate() + count);
  else if (recurring?.interval === 'week') end.setUTCDate(end.getUTCDate() + 7 * count);
  else if (recurring?.interval === 'year') end.setUTCFullYear(end.getUTCFullYear() + count);
  else end.setUTCMonth(end.getUTCMonth() + count);
  return Math.floor(end.getTime() / 1000);
}
