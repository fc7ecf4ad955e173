import type { Checkout, paymentApi } from '@latchkey/contracts';
import { Problem } from '@latchkey/kit';
import { FakeServices, fakeClient } from './testing/fake-services.js';
import { type GatewayUnderTest, startGateway } from './testing/start-gateway.js';

const checkout: Checkout = {
  id: 'c'.repeat(32),
  status: 'open',
  url: 'https://pay.example.com/c/1',
  expires_at: null,
  mode: 'payment',
  price: 'price_1',
  quantity: 2,
  currency: 'eur',
  amount: 1000,
  created_at: '2027-01-15T08:00:00.000Z',
  settled_at: null,
};

const services = new FakeServices();
services.payments = fakeClient<typeof paymentApi>(services, 'payments', {
  startCheckout: async () => ({ checkout }),
  showCheckout: async () => ({ checkout }),
  listProducts: async () => ({ products: [] }),
  receiveWebhook: async ({ params, body }) => {
    if (params.provider !== 'stripe') throw new Problem('not-found');
    if (body.signature === null) throw new Problem('webhook-signature-invalid');
    return { received: true as const };
  },
});

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway({ rateLimitScale: 0.1 }, services);
});
afterAll(() => gateway.stop());
beforeEach(() => services.calls.splice(0));

test('GET /checkout answers JSON, and sends a browser on to the provider', async () => {
  const json = await gateway.request('GET', '/checkout?price=price_1&quantity=2');
  expect([json.status, json.body]).toEqual([200, { checkout }]);
  expect(services.called('payments.startCheckout')[0]?.input).toEqual({ query: { price: 'price_1', quantity: '2' } });
  const html = await gateway.request('GET', '/checkout', { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([html.status, html.headers.location]).toEqual([303, checkout.url]);
  expect(html.headers['cache-control']).toBe('no-store');
});

test('S66 a checkout as another site’s image is 403 and asks nobody', async () => {
  const { headers } = services.session();
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const answer = await gateway.request('GET', '/checkout', { headers: { ...headers, ...image } });
  expect([answer.status, answer.body.code]).toEqual([403, 'cross-site-request']);
  expect(services.called('payments.startCheckout')).toEqual([]);
});

test('a cookie links the checkout to its user; looking at one changes nothing and may come from anywhere', async () => {
  const { headers } = services.session(7);
  await gateway.request('GET', '/checkout', { headers });
  expect(services.called('payments.startCheckout')[0]?.context.principal?.userId).toBe(7);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect((await gateway.request('GET', `/checkout/${checkout.id}`, { headers: foreign })).status).toBe(200);
});

describe('webhook', () => {
  const bytes = '{ "id":"evt_1",\r\n\t"name":"Zoë", "n":1.0 }';
  const signature = { 'stripe-signature': 't=1,v1=ab' };

  test('S73 P18 its bytes arrive unchanged, whatever their type, from another site, and no cookie counts', async () => {
    for (const type of ['application/json', 'text/plain', 'application/json; charset=utf-8']) {
      const session = services.session().headers;
      const headers = { ...signature, ...session, 'content-type': type, 'sec-fetch-site': 'cross-site' };
      const answer = await gateway.request('POST', '/webhook/stripe', { headers, body: bytes });
      expect([answer.status, answer.body]).toEqual([200, { received: true }]);
    }
    for (const { input, context } of services.called('payments.receiveWebhook')) {
      const { params, body } = input as { params: unknown; body: { payload_base64: string; signature: string } };
      expect(params).toEqual({ provider: 'stripe' });
      expect(Buffer.from(body.payload_base64, 'base64').toString()).toBe(bytes);
      expect(body.signature).toBe('t=1,v1=ab');
      expect(context.principal).toBeNull();
    }
    expect(services.called('auth.introspectSession')).toEqual([]);
  });

  test('F28 no signature is 400, an unknown provider 404, too much 413', async () => {
    const post = async (path: string, headers: Record<string, string>, body: string) =>
      (await gateway.request('POST', path, { headers, body })).status;
    expect(await post('/webhook/stripe', {}, bytes)).toBe(400);
    expect(await post('/webhook/other', signature, bytes)).toBe(404);
    expect(await post('/webhook/stripe', signature, 'x'.repeat(256 * 1024))).toBe(200);
    expect(await post('/webhook/stripe', signature, 'x'.repeat(256 * 1024 + 1))).toBe(413);
  });

  test('it is not one client’s traffic: the general limit does not count it', async () => {
    for (let i = 0; i < 100; i += 1) {
      const answer = await gateway.request('POST', '/webhook/stripe', { headers: signature, body: bytes });
      expect(answer.status).toBe(200);
    }
  });
});

test('without a payment service its routes do not exist', async () => {
  const bare = await startGateway();
  for (const path of ['/products', '/checkout']) expect((await bare.request('GET', path)).status).toBe(404);
  await bare.stop();
});
