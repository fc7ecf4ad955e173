import { ApiError, invalid, missing } from '../api-error.js';
import { type Form, list, metadata, needed, text, whole } from '../form-body.js';
import { listPage } from '../list-page.js';
import type { LineItem, Session } from '../objects.js';
import { expireSession } from '../pay-session.js';
import { fresh, newId, seconds, type World } from '../world.js';
import type { Operation } from './operation.js';

const DAY = 24 * 3600;

export function sessionOperations(world: World): Operation[] {
  const { store } = world;
  const find = (id: string) => {
    const session = store.get('session', id);
    if (session === undefined) throw missing('checkout.session', id);
    return session;
  };
  return [
    [
      'GET',
      '/v1/checkout/sessions',
      ({ form }) => {
        const wanted = (['payment_intent', 'subscription', 'customer', 'status'] as const).map(
          (name) => [name, text(form, name)] as const,
        );
        const found = store
          .all('session')
          .filter((session) => wanted.every(([name, value]) => value === undefined || session[name] === value));
        return listPage(found, form, '/v1/checkout/sessions');
      },
    ],
    ['GET', '/v1/checkout/sessions/:id', ({ id }) => find(id)],
    [
      'GET',
      '/v1/checkout/sessions/:id/line_items',
      ({ id, form }) => {
        const items = store.get('sessionNote', find(id).id)?.items ?? [];
        return listPage([...items].reverse(), form, `/v1/checkout/sessions/${id}/line_items`);
      },
    ],
    ['POST', '/v1/checkout/sessions', ({ form, base }) => createSession(world, form, base)],
    [
      'POST',
      '/v1/checkout/sessions/:id/expire',
      ({ id }) => {
        const session = find(id);
        if (session.status !== 'open')
          throw new ApiError(400, {
            type: 'invalid_request_error',
            message: `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
          });
        return expireSession(world, session);
      },
    ],
  ];
}

function createSession(world: World, form: Form, base: string): Session {
  const mode = needed(form, 'mode');
  if (mode !== 'payment' && mode !== 'subscription') throw invalid('mode', `Invalid mode: ${mode}`);
  const customer = text(form, 'customer') ?? null;
  const owner = customer === null ? undefined : world.store.get('customer', customer);
  if (customer !== null && (owner === undefined || owner.deleted)) throw missing('customer', customer, 'customer', 400);
  const items = lineItems(world, form, mode);
  const total = items.reduce((sum, item) => sum + item.amount_total, 0);
  const now = seconds(world);
  const expiresAt = whole(form, 'expires_at') ?? now + DAY;
  if (expiresAt < now + 1800 || expiresAt > now + DAY)
    throw invalid('expires_at', 'expires_at must be 30 minutes to 24 hours away');
  const id = newId('cs_test', 58);
  const session: Session = {
    ...fresh(world, 'cs', 'checkout.session'),
    id,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: text(form, 'cancel_url') ?? null,
    client_reference_id: text(form, 'client_reference_id') ?? null,
    currency: items[0]?.currency ?? 'usd',
    customer,
    customer_details: null,
    customer_email: text(form, 'customer_email') ?? owner?.email ?? null,
    expires_at: expiresAt,
    invoice: null,
    metadata: metadata(form),
    mode,
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: needed(form, 'success_url'),
    ui_mode: 'hosted_page',
    url: `${base}/pay/${id}`,
  };
  world.store.put('sessionNote', { id, items, settleAt: null });
  return world.store.put('session', session);
}

function lineItems(world: World, form: Form, mode: 'payment' | 'subscription'): LineItem[] {
  const given = list(form, 'line_items');
  if (given.length === 0) throw invalid('line_items', 'Missing required param: line_items.', 'parameter_missing');
  const items = given.map((item, at) => {
    const name = `line_items[${at}]`;
    if (typeof item === 'string') throw invalid(name, 'Invalid object');
    const id = needed(item, 'price');
    const price = world.store.get('price', id);
    if (price === undefined) throw missing('price', id, `${name}[price]`, 400);
    const product = world.store.get('product', price.product);
    if (!price.active || !product?.active)
      throw invalid(`${name}[price]`, 'The price specified is inactive. This field only accepts active prices.');
    const quantity = whole(item, 'quantity') ?? 1;
    if (quantity < 1) throw invalid(`${name}[quantity]`, 'quantity must be at least 1');
    const amount = price.unit_amount * quantity;
    return {
      id: newId('li'),
      object: 'item' as const,
      amount_discount: 0 as const,
      amount_subtotal: amount,
      amount_tax: 0 as const,
      amount_total: amount,
      currency: price.currency,
      description: product.name,
      price,
      quantity,
    };
  });
  if (mode === 'payment' && items.some((item) => item.price.recurring !== null))
    throw invalid('line_items', 'You specified `payment` mode but passed a recurring price. Use `subscription` mode.');
  if (mode === 'subscription' && items.every((item) => item.price.recurring === null))
    throw invalid('line_items', 'You must provide at least one recurring price in `subscription` mode.');
  return items;
}
