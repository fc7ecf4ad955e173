import { bindings, emailChanged, userDeleted } from '@latchkey/contracts';
import { eventually } from '../../support/eventually.js';
import { refusal, type StartOptions, someUser, startPayment, type TestPayment } from './start-payment.js';

let shop: TestPayment;
afterEach(() => shop.stop());
const start = async (options: StartOptions = {}) => {
  shop = await startPayment(options);
};
const status = async (id: string) =>
  (await shop.client.showCheckout({ params: { id } }, shop.context())).checkout.status;

async function open(type: 'one_time' | 'recurring') {
  const { products } = await shop.client.listProducts({}, shop.context());
  const price = products.flatMap((product) => product.prices).find((candidate) => candidate.type === type)?.id ?? '';
  return (await shop.client.startCheckout({ query: { price } }, shop.context({ userId: 7 }))).checkout;
}

describe('the end of a user', () => {
  const tell = async (event: { name: string }, payload: object) => {
    const message = {
      id: `m-${Math.random()}`,
      name: event.name,
      aggregateId: '7',
      sequence: 1,
      occurredAt: new Date().toISOString(),
      correlationId: 'c',
      payload,
    };
    await shop.queue.publish(message as never);
  };
  const subscribed = async () => {
    shop.users.set(7, someUser(7));
    const checkout = await open('recurring');
    await shop.press(checkout.url ?? '', 'pay');
    expect(await status(checkout.id)).toBe('paid');
    const [subscription] = (await shop.stripe.subscriptions.list({ status: 'all' })).data;
    return subscription?.id ?? '';
  };

  test.each([
    ['cancel-now', { status: 'canceled' }],
    ['cancel-at-period-end', { status: 'active', cancel_at_period_end: true }],
  ] as const)('%s: subscriptions end, open payment pages close', async (billingOnDelete, expected) => {
    await start({ config: { billingOnDelete } });
    const id = await subscribed();
    const left = await open('one_time');
    expect((await shop.client.billingState({ params: { user_id: '7' } }, shop.context())).open).toBe(false);
    await tell(userDeleted, { userId: 7, paymentCustomerId: null });
    await eventually('the subscription to end', async () => {
      const { status: now, cancel_at_period_end } = await shop.stripe.subscriptions.retrieve(id);
      return now === 'canceled' || cancel_at_period_end;
    });
    expect(await shop.stripe.subscriptions.retrieve(id)).toMatchObject(expected);
    expect(await status(left.id)).toBe('expired');
  });

  test('refuse: the user service is told while a subscription runs; a provider that is away is no consent', async () => {
    await start({ config: { billingOnDelete: 'refuse' } });
    const id = await subscribed();
    const ask = () => shop.client.billingState({ params: { user_id: '7' } }, shop.context());
    expect((await ask()).open).toBe(true);
    shop.wire.script = () => 'close-before';
    expect((await refusal(ask())).status).toBe(503);
    shop.wire.script = () => 'pass';
    await shop.stripe.subscriptions.cancel(id);
    expect((await ask()).open).toBe(false);
  });

  test('a changed email reaches the customer, whatever the order of two changes', async () => {
    await start();
    await subscribed();
    shop.users.set(7, someUser(7, { email: 'newest@example.org' }));
    for (const newEmail of ['newest@example.org', 'newer@example.org'])
      await tell(emailChanged, {
        userId: 7,
        oldEmail: 'user7@example.org',
        newEmail,
        name: 'Ada',
        paymentCustomerId: null,
        languages: null,
      });
    await eventually(
      'the customer to have it',
      async () => (await shop.stripe.customers.list({ email: 'newest@example.org' })).data.length === 1,
    );
    expect((await shop.queue.depths())[bindings.updateCustomerEmail.queue]?.dead).toBe(0);
  });
});
