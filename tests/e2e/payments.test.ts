// The payment routes of the contract through the gateway, with the real SDK against the simulator.
import { eventually } from '../support/eventually.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';
import { type System, startSystem } from '../support/system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const password = 'correct horse battery';

test('GET /products lists active products with their active prices, without a cookie', async () => {
  const answer = await system.client().get('/products');
  expect(answer.status).toBe(200);
  expect(answer.body.products.length).toBeGreaterThan(0);
  for (const product of answer.body.products) {
    expect(Object.keys(product).sort()).toEqual(['description', 'id', 'images', 'name', 'prices']);
    for (const price of product.prices) {
      expect(Object.keys(price).sort()).toEqual(['currency', 'id', 'recurring', 'type', 'unit_amount']);
    }
  }
});

test('products → checkout → payment page → paid → receipt → payment_customer_id on the user', async () => {
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  const started = await client.get(`/checkout?price=${await priceOf(client)}&quantity=2`);
  expect(started.status).toBe(200);
  const { id, url, status } = started.body.checkout;
  expect([status, id]).toEqual(['open', expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(started.text).not.toContain(user.email);

  const paid = await pressOnPaymentPage(url, 'pay', user.email);
  expect(paid).toEqual({ status: 303, location: expect.stringContaining(`${system.publicUrl}/checkout/${id}`) });
  // The success page is right at once, whether or not the webhook has come.
  expect((await system.client().get(`/checkout/${id}`)).body.checkout.status).toBe('paid');

  const receipt = await system.mailbox.waitFor(user.email, /receipt/i);
  expect(receipt.text).toContain(id);
  await eventually('customer linked', async () => {
    const { body } = await client.get(`/user/${user.id}`);
    return /^cus_/.test(body.user.payment_customer_id ?? '');
  });
  await eventually('webhook applied', async () => {
    const { body } = await (await system.admin()).get('/webhook-events');
    return body.webhook_events.some(
      (event: { type: string; state: string }) =>
        event.type === 'checkout.session.completed' && event.state === 'applied',
    );
  });
  expect((await system.mailbox.to(user.email)).filter((mail) => /receipt/i.test(mail.subject))).toHaveLength(1);
});

test('a browser is redirected to the payment page, an API client is told its address', async () => {
  const price = await priceOf(system.client());
  const browser = await system
    .client()
    .get(`/checkout?price=${price}`, { headers: { accept: 'text/html,application/xhtml+xml' } });
  expect([browser.status, browser.headers.get('location')]).toEqual([303, expect.stringContaining('/simulator/pay/')]);
});

test('a guest who declines sees the checkout fail and is told by mail', async () => {
  const started = await system.client().get(`/checkout?price=${await priceOf(system.client())}`);
  await pressOnPaymentPage(started.body.checkout.url, 'decline', 'guest@example.com');
  await eventually('failed', async () => {
    const { body } = await system.client().get(`/checkout/${started.body.checkout.id}`);
    return body.checkout.status === 'failed';
  });
  await system.mailbox.waitFor('guest@example.com', /did not go through/i);
});

test('a recurring price starts a subscription', async () => {
  const started = await system.client().get(`/checkout?price=${await priceOf(system.client(), { type: 'recurring' })}`);
  expect(started.body.checkout.mode).toBe('subscription');
  await pressOnPaymentPage(started.body.checkout.url, 'pay', 'subscriber@example.com');
  expect((await system.client().get(`/checkout/${started.body.checkout.id}`)).body.checkout.status).toBe('paid');
});

test('S66 an image of another site starts no checkout', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const answer = await system.client().get(`/checkout?price=${await priceOf(system.client())}`, { headers });
  expect([answer.status, answer.body.code]).toEqual([403, 'cross-site-request']);
});

test.each([
  ['/checkout?price=price_none', 404, 'not-found'],
  ['/checkout?quantity=0', 400, 'validation-failed'],
  ['/checkout?quantity=1000', 400, 'validation-failed'],
  ['/checkout?quantity=1e2', 400, 'validation-failed'],
  ['/checkout?amount=1', 400, 'validation-failed'],
  [`/checkout/${'0'.repeat(32)}`, 404, 'not-found'],
])('GET %s is %i %s', async (path, status, code) => {
  const answer = await system.client().get(path);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('S73 a forged webhook is 400 in the problem shape, an unknown provider 404, a huge one 413', async () => {
  const event = JSON.stringify({
    id: 'evt_forged',
    object: 'event',
    type: 'checkout.session.completed',
    data: { object: {} },
  });
  const post = (path: string, raw: string, headers: Record<string, string> = {}) =>
    system.client().post(path, undefined, { raw, headers });
  const unsigned = await post('/webhook/stripe', event);
  const forged = await post('/webhook/stripe', event, {
    'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
  });
  for (const answer of [unsigned, forged])
    expect([answer.status, answer.body.code]).toEqual([400, 'webhook-signature-invalid']);
  expect((await post('/webhook/unknown', event)).status).toBe(404);
  expect((await post('/webhook/stripe', 'x'.repeat(300_000))).status).toBe(413);
  const { body } = await (await system.admin()).get('/webhook-events');
  expect(body.webhook_events.map(({ id }: { id: string }) => id)).not.toContain('evt_forged');
});

test('an admin replays a webhook event, which changes nothing that was right', async () => {
  const admin = await system.admin();
  const { body } = await admin.get('/webhook-events');
  const event = body.webhook_events.find(({ type }: { type: string }) => type === 'checkout.session.completed');
  const mailsBefore = (await admin.get('/mails?limit=200')).body.mails.length;
  expect((await admin.post(`/webhook-events/${event.id}/replay`)).status).toBe(200);
  await eventually('applied again', async () => {
    const { webhook_event } = (await admin.get(`/webhook-events/${event.id}`)).body;
    return webhook_event.replays === 1 && webhook_event.state === 'applied';
  });
  expect((await admin.get('/mails?limit=200')).body.mails).toHaveLength(mailsBefore);
});
