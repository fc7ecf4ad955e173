import Stripe from 'stripe';
import { eventually } from '../../support/eventually.js';
import { API_KEY, startPayment, type TestPayment, WEBHOOK_SECRET } from './start-payment.js';

let shop: TestPayment;
beforeEach(async () => {
  shop = await startPayment({ processor: false });
});
afterEach(() => shop.stop());

const checkout = async (price?: string) => {
  const prices = await shop.stripe.prices.list({ limit: 100 });
  const chosen = price ?? prices.data.find((candidate) => candidate.type === 'one_time')?.id ?? '';
  const recurring = prices.data.find((candidate) => candidate.id === chosen)?.recurring;
  return shop.stripe.checkout.sessions.create({
    mode: recurring ? 'subscription' : 'payment',
    line_items: [{ price: chosen, quantity: 2 }],
    success_url: 'https://shop.example.org/thanks',
    cancel_url: 'https://shop.example.org/pricing',
  });
};

test('the SDK reads products and prices, page by page', async () => {
  const all = await shop.stripe.prices.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(all.length).toBeGreaterThanOrEqual(4);
  expect(all.some((price) => price.recurring?.interval === 'month')).toBe(true);
  expect(all.some((price) => price.currency === 'jpy')).toBe(true);
  const { data } = await shop.stripe.prices.list({ limit: 1, expand: ['data.product'] });
  expect(data[0]?.product).toMatchObject({ object: 'product' });
});

test('a call without the key is 401, an unknown object 404 in Stripe’s shape', async () => {
  const stranger = new Stripe('sk_wrong', { host: '127.0.0.1', port: new URL(shop.wire.url).port, protocol: 'http' });
  await expect(stranger.products.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
  await expect(shop.stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
    code: 'resource_missing',
    statusCode: 404,
  });
  const answer = await fetch(`${shop.origin}/simulator/v1/products`);
  expect(answer.status).toBe(401);
});

test('an idempotency key gives the same answer again, and refuses other parameters', async () => {
  const options = { idempotencyKey: 'key-1' };
  const first = await shop.stripe.customers.create({ email: 'a@example.org' }, options);
  const again = await shop.stripe.customers.create({ email: 'a@example.org' }, options);
  expect(again.id).toBe(first.id);
  await expect(shop.stripe.customers.create({ email: 'b@example.org' }, options)).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
  });
});

test('the payment page has its four buttons in order, under a strict policy, and answers only to this machine', async () => {
  const session = await checkout();
  const page = await fetch(session.url?.replace(/^https?:\/\/[^/]+/, shop.origin) ?? '');
  const text = await page.text();
  expect([...text.matchAll(/<button[^>]*>([^<]+)</g)].map((match) => match[1])).toEqual([
    'Pay',
    'Pay later',
    'Decline',
    'Cancel',
  ]);
  expect(text).toContain('<label for="email">');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' https://shop.example.org");
  const { request } = await import('node:http');
  const status = await new Promise((resolve) => {
    const { port } = new URL(shop.origin);
    request(
      {
        port,
        path: '/simulator/v1/products',
        headers: { host: 'rebound.example', authorization: `Bearer ${API_KEY}` },
      },
      (answer) => resolve(answer.statusCode),
    ).end();
  });
  expect(status).toBe(403);
});

test('paying completes the session, cancelling leaves it open', async () => {
  const session = await checkout();
  expect((await shop.press(session.url ?? '', 'cancel')).headers.get('location')).toBe(
    'https://shop.example.org/pricing',
  );
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
  expect((await shop.press(session.url ?? '', 'pay')).headers.get('location')).toBe('https://shop.example.org/thanks');
  const paid = await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] });
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    customer_details: { email: 'buyer@example.org' },
  });
  expect((paid.payment_intent as Stripe.PaymentIntent).status).toBe('succeeded');
  expect((await shop.press(session.url ?? '', 'pay')).status).toBe(410);
});

test('its webhooks bear the real signature and come again until they are taken', async () => {
  const session = await checkout();
  await shop.press(session.url ?? '', 'pay');
  await eventually('the event to be listed as undelivered', async () => {
    const events = await shop.stripe.events.list({ type: 'checkout.session.completed', delivery_success: false });
    return events.data.length === 1;
  });
  const { signWebhook } = await import('@latchkey/sandbox');
  const body = '{"id":"evt_1","object":"event"}';
  const header = signWebhook(body, WEBHOOK_SECRET, Math.floor(Date.now() / 1000));
  expect(shop.stripe.webhooks.constructEvent(body, header, WEBHOOK_SECRET).id).toBe('evt_1');
});

test('everything survives a restart', async () => {
  const session = await checkout();
  await shop.press(session.url ?? '', 'pay');
  const { dataDir } = shop;
  await shop.stop({ keep: true });
  shop = await startPayment({ processor: false, dataDir });
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
});
