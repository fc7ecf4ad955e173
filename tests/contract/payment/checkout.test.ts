import { eventually } from '../../support/eventually.js';
import { refusal, someUser, startPayment, type TestPayment } from './start-payment.js';

let shop: TestPayment;
afterEach(() => shop.stop());

const firstPrice = async (type: 'one_time' | 'recurring' = 'one_time') => {
  const { products } = await shop.client.listProducts({}, shop.context());
  return products.flatMap((product) => product.prices).find((price) => price.type === type)?.id ?? '';
};
const begin = async (
  query: { price?: string; quantity?: string } = {},
  who: Parameters<TestPayment['context']>[0] = {},
) =>
  (
    await shop.client.startCheckout(
      { query: { price: query.price ?? (await firstPrice()), ...query } },
      shop.context(who),
    )
  ).checkout;
const sessionCalls = () =>
  shop.wire.calls.filter((call) => call.method === 'POST' && call.path === '/v1/checkout/sessions');

describe('checkout', () => {
  beforeEach(async () => {
    shop = await startPayment({ processor: false });
  });

  test('S73 the amount is the provider’s; mode follows the price; the answer names nobody', async () => {
    const checkout = await begin({ quantity: '3' });
    expect(checkout).toMatchObject({
      status: 'open',
      mode: 'payment',
      quantity: 3,
      url: expect.stringContaining('/pay/cs_test_'),
    });
    expect(checkout.id).toMatch(/^[0-9a-f]{32}$/);
    const [call] = sessionCalls();
    expect([...(call?.body.keys() ?? [])].join()).not.toMatch(/amount/);
    expect(call?.body.get('success_url')).toBe(`https://shop.example.org/checkout/${checkout.id}`);
    expect((await begin({ price: await firstPrice('recurring') })).mode).toBe('subscription');
    expect(JSON.stringify(checkout)).not.toMatch(/email|name/);
  });

  test('the price may be left out only when there is one', async () => {
    expect(await refusal(shop.client.startCheckout({ query: {} }, shop.context()))).toMatchObject({
      status: 400,
      errors: [{ path: 'query.price' }],
    });
    const prices = await shop.stripe.prices.list({ limit: 100 });
    for (const { id } of prices.data.slice(1)) await shop.stripe.prices.update(id, { active: false });
    shop.turnClock(61);
    const { checkout } = await shop.client.startCheckout({ query: {} }, shop.context());
    expect(checkout.price).toBe(prices.data[0]?.id);
  });

  test.each(['0', '1000', '-1', '1.5', '1e2', ' 1', '', '0x1', '+1', '٣'])(
    'a quantity of %p is 400',
    async (quantity) => {
      expect(await refusal(begin({ quantity }))).toMatchObject({ status: 400, code: 'validation-failed' });
    },
  );

  test('a price that is not listed is 404, and one that ended a moment ago too', async () => {
    expect(await refusal(begin({ price: 'price_none' }))).toMatchObject({ status: 404 });
    const price = await firstPrice();
    await shop.stripe.prices.update(price, { active: false });
    expect(await refusal(begin({ price }))).toMatchObject({ status: 404 });
    expect(sessionCalls()).toHaveLength(1);
  });

  test('20 a minute for one address, whoever counts', async () => {
    for (let at = 0; at < 20; at += 1) await begin();
    const refused = await refusal(begin());
    expect(refused).toMatchObject({ status: 429, limit: 'checkouts-per-address' });
    expect(refused.retryAfter).toBeLessThanOrEqual(60);
    await begin({}, { address: '203.0.113.8' });
    shop.turnClock(61);
    await begin();
    // An IPv6 client has a whole /64 to choose from.
    for (let at = 0; at < 20; at += 1) await begin({}, { address: `2001:db8::${at + 1}` });
    expect(await refusal(begin({}, { address: '2001:db8::ffff' }))).toMatchObject({ status: 429 });
    await begin({}, { address: '2001:db8:0:1::1' });
  });

  test('an unknown checkout is 404', async () => {
    expect(await refusal(shop.client.showCheckout({ params: { id: 'a'.repeat(32) } }, shop.context()))).toMatchObject({
      status: 404,
    });
  });
});

describe('customers', () => {
  test('a user’s customer is made once, told of once and used again', async () => {
    shop = await startPayment({ processor: false });
    shop.users.set(7, someUser(7));
    await Promise.all([begin({}, { userId: 7 }), begin({}, { userId: 7 })]);
    const customers = await shop.stripe.customers.list({ email: 'user7@example.org' });
    expect(customers.data).toHaveLength(1);
    await eventually('the link', () => shop.events('payment.customer-linked.v1').length === 1);
    expect(shop.events('payment.customer-linked.v1')[0]?.payload).toEqual({
      userId: 7,
      paymentCustomerId: customers.data[0]?.id,
    });
    expect(sessionCalls().every((call) => call.body.get('customer') === customers.data[0]?.id)).toBe(true);
  });

  test('F30 a crash after the customer was made makes no second one', async () => {
    let crash = true;
    shop = await startPayment({
      processor: false,
      crashPoint: (place) => {
        if (crash && place === 'customer.made') throw new Error('crash');
      },
    });
    shop.users.set(7, someUser(7));
    await expect(begin({}, { userId: 7 })).rejects.toThrow();
    crash = false;
    await begin({}, { userId: 7 });
    expect((await shop.stripe.customers.list({})).data).toHaveLength(1);
  });

  test('one that was deleted at the provider is replaced', async () => {
    shop = await startPayment({ processor: false });
    shop.users.set(7, someUser(7));
    await begin({}, { userId: 7 });
    const [old] = (await shop.stripe.customers.list({})).data;
    await shop.stripe.customers.del(old?.id ?? '');
    await begin({}, { userId: 7 });
    const [fresh] = (await shop.stripe.customers.list({})).data;
    expect(fresh?.id).not.toBe(old?.id);
  });
});

describe('F30 a provider that is slow, fails or closes connections', () => {
  const isSession = (call: { method: string; path: string }) =>
    call.method === 'POST' && call.path === '/v1/checkout/sessions';

  test.each([
    ['closes the connection', 'close-before', 503, 'provider-unavailable'],
    ['answers 500', { status: 500 }, 502, 'provider-failed'],
    ['answers 503', { status: 503 }, 503, 'provider-unavailable'],
    ['answers 429', { status: 429 }, 503, 'provider-unavailable'],
    ['answers nonsense', { status: 200, body: '<html>' }, 502, 'provider-failed'],
  ] as const)('%s', async (_name, fate, status, code) => {
    shop = await startPayment({ processor: false });
    const price = await firstPrice();
    shop.wire.script = (call) => (isSession(call) ? fate : 'pass');
    expect(await refusal(begin({ price }))).toMatchObject({ status, code });
  });

  test.each(['hang', 'dribble'] as const)(
    '%s: refused within 10 s',
    async (fate) => {
      shop = await startPayment({ processor: false });
      const price = await firstPrice();
      shop.wire.script = (call) => (isSession(call) ? fate : 'pass');
      const began = performance.now();
      expect(await refusal(begin({ price }))).toMatchObject({ status: 503, code: 'provider-unavailable' });
      expect(performance.now() - began).toBeLessThan(10_000);
    },
    20_000,
  );

  test('F30 P20 an answer that was lost is not paid for with a second session', async () => {
    shop = await startPayment({ processor: false });
    const price = await firstPrice();
    shop.wire.script = (call) => (isSession(call) ? 'close-after' : 'pass');
    expect((await refusal(begin({ price }))).status).toBe(503);
    shop.wire.script = () => 'pass';
    await begin({ price });
    expect((await shop.stripe.checkout.sessions.list({})).data).toHaveLength(1);
    expect(new Set(sessionCalls().map((call) => call.idempotencyKey)).size).toBe(1);
  });

  test.each(['checkout.stored', 'checkout.session-made'] as const)(
    'a crash at %s: the next ask goes on with the same key',
    async (place) => {
      let crash = true;
      shop = await startPayment({
        processor: false,
        crashPoint: (at) => {
          if (crash && at === place) throw new Error('crash');
        },
      });
      const price = await firstPrice();
      await expect(begin({ price })).rejects.toThrow();
      crash = false;
      shop.turnClock(21);
      const other = await begin({ price }, { address: '198.51.100.1' });
      const { id } = await begin({ price });
      expect(id).not.toBe(other.id);
      expect((await shop.stripe.checkout.sessions.list({})).data).toHaveLength(2);
    },
  );

  test('a crash: the reconciler resumes, too', async () => {
    let crash = true;
    shop = await startPayment({
      crashPoint: (at) => {
        if (crash && at === 'checkout.session-made') throw new Error('crash');
      },
    });
    const price = await firstPrice();
    await expect(begin({ price })).rejects.toThrow();
    crash = false;
    shop.turnClock(60);
    await shop.processor?.reconcileNow();
    expect((await shop.stripe.checkout.sessions.list({})).data).toHaveLength(1);
    const stored = await shop.connection.collection('checkouts').findOne({});
    expect(stored?.sessionId).toMatch(/^cs_test_/);
  });
});
