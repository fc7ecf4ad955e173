import { signWebhook } from '@latchkey/sandbox';
import type Stripe from 'stripe';
import { eventually } from '../../support/eventually.js';
import { type StartOptions, someUser, startPayment, type TestPayment, WEBHOOK_SECRET } from './start-payment.js';

let shop: TestPayment;
afterEach(() => shop.stop());

async function open(options: StartOptions = {}, type: 'one_time' | 'recurring' = 'one_time', userId?: number) {
  shop ??= await startPayment(options);
  const { products } = await shop.client.listProducts({}, shop.context());
  const price = products.flatMap((product) => product.prices).find((candidate) => candidate.type === type)?.id ?? '';
  const who = userId === undefined ? {} : { userId };
  return (await shop.client.startCheckout({ query: { price } }, shop.context(who))).checkout;
}
const start = async (options: StartOptions = {}) => {
  shop = await startPayment(options);
};
const status = async (id: string) =>
  (await shop.client.showCheckout({ params: { id } }, shop.context())).checkout.status;
const kept = async (id: string) =>
  (await shop.connection.collection('checkouts').findOne({ _id: id } as never))?.status;
const receipts = () => shop.events('payment.checkout-completed.v1');
const send = (event: object) => {
  const body = JSON.stringify(event);
  return shop.deliver(body, signWebhook(body, WEBHOOK_SECRET, Math.floor(shop.clock.now() / 1000)));
};
const ofType = async (...types: string[]): Promise<Stripe.Event[]> => {
  const { data } = await shop.stripe.events.list({ limit: 100 });
  return types.flatMap((type) => data.filter((event) => event.type === type));
};
const allApplied = () =>
  eventually('all events to be applied', async () => {
    const { webhook_events } = await shop.client.listWebhookEvents({ query: { limit: '200' } }, shop.context());
    return webhook_events.every((event) => event.state === 'applied' || event.state === 'ignored');
  });

test('the page after the payment is right before the webhook has come, receipt included', async () => {
  await start();
  const checkout = await open();
  expect(await status(checkout.id)).toBe('open');
  await shop.press(checkout.url ?? '', 'pay');
  expect(await status(checkout.id)).toBe('paid');
  await eventually('the receipt', () => receipts().length === 1);
  expect(receipts()[0]?.payload).toMatchObject({
    checkoutId: checkout.id,
    userId: null,
    to: 'buyer@example.org',
    amount: checkout.amount,
    currency: checkout.currency,
    items: [{ quantity: 1, amount: checkout.amount, description: expect.any(String) }],
    languages: 'de, en;q=0.5',
  });
  const [completed] = await ofType('checkout.session.completed');
  expect(await send(completed ?? {})).toMatchObject({ status: 200 });
  await allApplied();
  expect(receipts()).toHaveLength(1);
});

test('while it is open the provider is asked at most once a second; when it is down, what we know is shown', async () => {
  await start();
  const { id } = await open();
  const asked = () =>
    shop.wire.calls.filter((call) => call.method === 'GET' && call.path.startsWith('/v1/checkout/sessions/')).length;
  const began = performance.now();
  await Promise.all(Array.from({ length: 10 }, () => status(id)));
  // Who comes upon another's question waits for the rest of its second and may ask then.
  expect(asked()).toBeGreaterThanOrEqual(1);
  expect(asked()).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 1000));
  shop.wire.script = () => 'close-before';
  expect(await status(id)).toBe('open');
});

test('F26 twenty parallel copies of an event have one effect', async () => {
  await start();
  const checkout = await open();
  await shop.press(checkout.url ?? '', 'pay');
  const [completed] = await ofType('checkout.session.completed');
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(completed ?? {})));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  await eventually('it to be paid', async () => (await kept(checkout.id)) === 'paid');
  await allApplied();
  await eventually('the receipt', () => receipts().length > 0);
  expect(receipts()).toHaveLength(1);
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) =>
    permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
  );
}

test('F27 every order of a history of four ends in the same state with one receipt', async () => {
  await start({ config: { rateLimitScale: 100 } });
  for (const order of permutations([0, 1, 2, 3])) {
    const checkout = await open();
    await shop.press(checkout.url ?? '', 'pay-later');
    const sessionId = /cs_test_\w+/.exec(checkout.url ?? '')?.[0] ?? '';
    await shop.control({ conclude: { session: sessionId, outcome: 'succeeded' } });
    const session = await shop.stripe.checkout.sessions.retrieve(sessionId);
    await shop.stripe.refunds.create({ payment_intent: String(session.payment_intent) });
    const [charge] = (await shop.stripe.charges.list({ payment_intent: String(session.payment_intent) })).data;
    const event = (type: string, object: object) => ({
      id: `evt_${type}_${checkout.id}`,
      object: 'event',
      type,
      created: 1,
      data: { object },
    });
    const history = [
      event('checkout.session.completed', session),
      event('checkout.session.async_payment_succeeded', session),
      event('checkout.session.expired', session),
      event('charge.refunded', charge ?? {}),
    ];
    const before = receipts().length;
    for (const at of order) {
      const sent = history[at] as { id: string };
      await send(sent);
      await eventually('this one to be applied', async () => {
        const { webhook_event } = await shop.client.showWebhookEvent({ params: { id: sent.id } }, shop.context());
        return webhook_event.state === 'applied';
      });
    }
    expect([order, await kept(checkout.id)]).toEqual([order, 'refunded']);
    await eventually('the receipt', () => receipts().length > before);
    expect(receipts()).toHaveLength(before + 1);
  }
}, 90_000);

test('F27 a refused delayed payment fails in every order, and the buyer is told once', async () => {
  await start();
  for (const types of permutations(['checkout.session.completed', 'checkout.session.async_payment_failed'])) {
    const checkout = await open();
    const before = shop.events('payment.checkout-failed.v1').length;
    await shop.press(checkout.url ?? '', 'decline');
    const events = await ofType(...types);
    for (const event of events.filter(
      (each) => (each.data.object as { client_reference_id?: string }).client_reference_id === checkout.id,
    ))
      await send(event);
    await allApplied();
    expect(await status(checkout.id)).toBe('failed');
    await eventually('the note', () => shop.events('payment.checkout-failed.v1').length === before + 1);
  }
  expect(receipts()).toEqual([]);
});

test('pay later: processing first, then paid; the receipt comes with the money', async () => {
  await start();
  const checkout = await open();
  await shop.control({ payLaterMs: 3_600_000 });
  await shop.press(checkout.url ?? '', 'pay-later');
  expect(await status(checkout.id)).toBe('processing');
  expect(receipts()).toEqual([]);
  await shop.control({ conclude: { session: /cs_test_\w+/.exec(checkout.url ?? '')?.[0], outcome: 'succeeded' } });
  expect(await status(checkout.id)).toBe('paid');
});

test('without an address of the buyer the receipt goes to the user', async () => {
  await start();
  shop.users.set(7, someUser(7));
  const checkout = await open({}, 'one_time', 7);
  await shop.press(checkout.url ?? '', 'pay');
  const real = shop.provider.retrieveSession.bind(shop.provider);
  jest.spyOn(shop.provider, 'retrieveSession').mockImplementation(async (id, options) => {
    const session = await real(id, options);
    return session && { ...session, email: null };
  });
  expect(await status(checkout.id)).toBe('paid');
  await eventually('the receipt', () => receipts().length === 1);
  expect(receipts()[0]?.payload).toMatchObject({ to: 'user7@example.org', userId: 7 });
});

test('F31 a processor that dies before or after settling settles once', async () => {
  let crashes = ['settle.before', 'settle.done'];
  await start({
    crashPoint: (place) => {
      if (crashes.includes(place)) {
        crashes = crashes.filter((other) => other !== place);
        throw new Error('crash');
      }
    },
  });
  const checkout = await open();
  await shop.press(checkout.url ?? '', 'pay');
  const [completed] = await ofType('checkout.session.completed');
  await send(completed ?? {});
  await eventually('the event to fail first', async () => crashes.length < 2);
  for (let turn = 0; turn < 3; turn += 1) shop.turnClock(60);
  await eventually('it to be paid', async () => (await kept(checkout.id)) === 'paid');
  shop.turnClock(60);
  await allApplied();
  await eventually('the receipt', () => receipts().length > 0);
  expect(receipts()).toHaveLength(1);
}, 30_000);

test('the reconciler settles what no webhook told of, and fetches events that were not delivered', async () => {
  await start();
  const checkout = await open();
  await shop.press(checkout.url ?? '', 'pay');
  shop.turnClock(120);
  await shop.processor?.reconcileNow();
  expect(await kept(checkout.id)).toBe('paid');
  const { webhook_events } = await shop.client.listWebhookEvents({ query: { limit: '200' } }, shop.context());
  expect(webhook_events.map((event) => event.type)).toContain('checkout.session.completed');
  expect(webhook_events.every((event) => event.source === 'reconciler')).toBe(true);
  await allApplied();
  await eventually('the receipt', () => receipts().length > 0);
  expect(receipts()).toHaveLength(1);
});

test('checkouts that are paid at the provider and cannot be settled here are counted, until they are', async () => {
  let broken = true;
  await start({
    crashPoint: (place) => {
      if (broken && place === 'settle.before') throw new Error('cannot settle');
    },
  });
  const checkout = await open();
  await shop.press(checkout.url ?? '', 'pay');
  shop.turnClock(120);
  await shop.processor?.reconcileNow();
  expect(await shop.metrics.text()).toMatch(/^checkouts_paid_unfulfilled\{[^}]*\} 1$/m);
  broken = false;
  await shop.processor?.reconcileNow();
  expect(await kept(checkout.id)).toBe('paid');
  expect(await shop.metrics.text()).toMatch(/^checkouts_paid_unfulfilled\{[^}]*\} 0$/m);
});

test('F26 F27 webhooks that come late, against their order and several times settle once', async () => {
  await start({ delivers: true });
  await shop.control({ hold: true, duplicate: 4 });
  const checkout = await open();
  await shop.press(checkout.url ?? '', 'pay');
  const before = await shop.control({ release: 'reverse' });
  expect(before.held).toEqual([]);
  await eventually('it to be paid', async () => (await kept(checkout.id)) === 'paid');
  await allApplied();
  await eventually('the receipt', () => receipts().length > 0);
  expect(receipts()).toHaveLength(1);
});
