// What becomes of a user's subscriptions when the user is deleted, by policy.
import { eventually } from '../support/eventually.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';
import { type System, startSystem } from '../support/system.js';

const password = 'correct horse battery';

/** A user with an active subscription, and how the provider sees it. */
async function givenSubscriber(system: System) {
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  const started = await client.get(`/checkout?price=${await priceOf(client, { type: 'recurring' })}`);
  const { url } = started.body.checkout;
  await pressOnPaymentPage(url, 'pay', user.email);
  const customer: string = await eventually('customer linked', async () => {
    const { body } = await client.get(`/user/${user.id}`);
    return body.user.payment_customer_id ?? undefined;
  });
  const subscription = async () => {
    const answer = await fetch(`${new URL(url).origin}/simulator/v1/subscriptions?customer=${customer}&status=all`, {
      headers: { authorization: 'Bearer sk_test_simulator' },
    });
    const { data } = (await answer.json()) as { data: { status: string; cancel_at_period_end: boolean }[] };
    return data[0];
  };
  expect((await subscription())?.status).toBe('active');
  return { user, subscription };
}

test.each([
  ['cancel-now', (one: { status: string }) => one.status === 'canceled'],
  ['cancel-at-period-end', (one: { cancel_at_period_end: boolean }) => one.cancel_at_period_end],
] as const)('BILLING_ON_DELETE=%s', async (policy, done) => {
  const system = await startSystem({ BILLING_ON_DELETE: policy });
  try {
    const { user, subscription } = await givenSubscriber(system);
    expect((await (await system.admin()).delete(`/user/${user.id}`)).status).toBe(200);
    await eventually('subscription settled', async () => {
      const one = await subscription();
      return one && done(one);
    });
  } finally {
    await system.stop();
  }
});

test('BILLING_ON_DELETE=refuse keeps the user while a subscription is open', async () => {
  const system = await startSystem({ BILLING_ON_DELETE: 'refuse' });
  try {
    const { user, subscription } = await givenSubscriber(system);
    const answer = await (await system.admin()).delete(`/user/${user.id}`);
    expect([answer.status, answer.body.code]).toEqual([409, 'billing-open']);
    expect((await system.client().post('/login', { email: user.email, password })).status).toBe(200);
    expect((await subscription())?.status).toBe('active');
    const other = await system.givenUser({ password });
    expect((await (await system.admin()).delete(`/user/${other.id}`)).status).toBe(200);
  } finally {
    await system.stop();
  }
});
