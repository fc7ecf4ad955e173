import type { Price, Product } from '@latchkey/contracts';
import type Stripe from 'stripe';
import type { LineItem, ProviderEvent, ProviderSession, ProviderSubscription } from '../payment-provider.js';

/** The id of something that may have been expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
}

const fromSeconds = (seconds: number) => new Date(seconds * 1000);

/** What we wrote into objects of ours, so that they can be told from others of the account. */
export const CHECKOUT_KEY = 'latchkey_checkout';
export const USER_KEY = 'latchkey_user';

export function toSession(session: Stripe.Checkout.Session): ProviderSession {
  return {
    id: session.id,
    checkoutId: session.metadata?.[CHECKOUT_KEY] ?? session.client_reference_id ?? null,
    url: session.url,
    expiresAt: fromSeconds(session.expires_at),
    status: oneOf(session.status, ['complete', 'expired'], 'open'),
    paymentStatus: oneOf(session.payment_status, ['paid', 'no_payment_required'], 'unpaid'),
    paymentFailed: paymentFailed(session.payment_intent),
    customerId: idOf(session.customer),
    subscriptionId: idOf(session.subscription),
    paymentId: idOf(session.payment_intent),
    email: session.customer_details?.email ?? null,
    name: session.customer_details?.name ?? null,
    currency: session.currency,
    amount: session.amount_total,
  };
}

/** Values that Stripe may add one day count as the one that settles nothing. */
function oneOf<const V extends string, const F extends string>(
  value: string | null,
  known: readonly V[],
  other: F,
): V | F {
  return known.find((candidate) => candidate === value) ?? other;
}

/** Of a complete session: a delayed payment that was refused asks for another payment method, or is cancelled. */
function paymentFailed(intent: string | Stripe.PaymentIntent | null): boolean {
  if (intent === null || typeof intent === 'string') return false;
  return intent.status === 'requires_payment_method' || intent.status === 'canceled';
}

export function toLineItem(item: Stripe.LineItem): LineItem {
  return { description: item.description ?? '', quantity: item.quantity ?? 1, amount: item.amount_total };
}

const ENDED = ['canceled', 'incomplete_expired'];

/** Since API version 2025-03-31 the period belongs to each item, no longer to the subscription. */
export function toSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const ends = subscription.items.data.map((item) => item.current_period_end).filter((end) => Number.isFinite(end));
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    status: subscription.status,
    open: !ENDED.includes(subscription.status),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    currentPeriodEnd: ends.length > 0 ? fromSeconds(Math.max(...ends)) : null,
  };
}

export function toEvent(event: Pick<Stripe.Event, 'id' | 'type' | 'created' | 'data'>): ProviderEvent {
  const object = event.data?.object as { id?: unknown } | undefined;
  return {
    id: event.id,
    type: event.type,
    objectId: typeof object?.id === 'string' ? object.id : null,
    createdAt: fromSeconds(event.created),
  };
}

/** Products by name with their prices, cheapest first. A price of a product that is not active is left out. */
export function toCatalogue(products: readonly Stripe.Product[], prices: readonly Stripe.Price[]): Product[] {
  const ofProduct = new Map<string, Price[]>(products.map((product) => [product.id, []]));
  for (const price of prices) if (price.active) ofProduct.get(idOf(price.product) ?? '')?.push(toPrice(price));
  return products
    .filter((product) => product.active)
    .map((product) => ({
      id: product.id,
      name: product.name,
      description: product.description,
      images: product.images,
      prices: (ofProduct.get(product.id) ?? []).sort((a, b) => (a.unit_amount ?? 0) - (b.unit_amount ?? 0)),
    }));
}

function toPrice(price: Stripe.Price): Price {
  const { recurring } = price;
  return {
    id: price.id,
    currency: price.currency,
    unit_amount: price.unit_amount,
    type: recurring ? 'recurring' : 'one_time',
    recurring: recurring && { interval: recurring.interval, interval_count: recurring.interval_count },
  };
}
