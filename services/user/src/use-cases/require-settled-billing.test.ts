import { paymentApi, userDeleted } from '@latchkey/contracts';
import { type CallContext, ConfigError, createClient, directTransport, Problem, route } from '@latchkey/kit';
import { eventually, refusal } from '@latchkey/tests';
import type { UserConfig } from '../config.js';
import { makeUser } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

/** Payment as a deletion sees it, behind the transport that standalone uses. */
function fakePayment() {
  const asked: { userId: number; context: CallContext }[] = [];
  const payment = { asked, answer: async (): Promise<{ open: boolean }> => ({ open: false }) };
  const routes = [
    route(paymentApi.billingState, async ({ params }, context) => {
      asked.push({ userId: params.user_id, context });
      return payment.answer();
    }),
  ];
  const { billingState } = paymentApi;
  const clock = { now: () => Date.now() };
  return Object.assign(payment, {
    client: createClient({ billingState }, directTransport({ routes: () => routes, clock })),
  });
}

let payment: ReturnType<typeof fakePayment>;
let system: RunningUserService;
async function start(billingOnDelete: UserConfig['billingOnDelete'] = 'refuse') {
  payment = fakePayment();
  system = await startUserService({ billingOnDelete, billing: payment.client });
}
afterEach(() => system.stop());

const remove = (id: number, context = system.admin()) =>
  system.users.deleteUser({ params: { id: String(id) } }, context);
const record = (id: number) => system.models.users.findById(id).lean().orFail();

test('settled: payment is asked about this user, within the request, and then it is deleted', async () => {
  await start();
  const { id } = await makeUser(system);
  expect((await remove(id)).user.deletedAt).not.toBeNull();
  expect(payment.asked).toMatchObject([{ userId: id, context: { requestId: system.admin().requestId } }]);
});

test('open: 409 billing-open, nothing is changed or told, and it can be deleted once settled', async () => {
  await start();
  const { id } = await makeUser(system);
  await eventually('a settled record', async () => (await record(id)).outbox.length === 0);
  payment.answer = async () => ({ open: true });
  const before = await record(id);
  expect(await refusal(remove(id, system.as(id)))).toMatchObject({ code: 'billing-open', status: 409 });
  expect(await record(id)).toEqual(before);
  expect(system.auth.disabled.has(id)).toBe(false);
  expect(system.queue.payloads(userDeleted)).toEqual([]);
  payment.answer = async () => ({ open: false });
  expect((await remove(id)).user.deletedAt).not.toBeNull();
});

test.each([
  ['payment is away', new Problem('service-unavailable')],
  ['the provider is away', new Problem('provider-unavailable')],
  ['the provider gave no usable answer', new Problem('provider-failed')],
  ['payment knows no such question', new Problem('not-found')],
  ['payment is broken', new Error('broken')],
])('%s: 503, and nobody is deleted on a guess', async (_name, error) => {
  await start();
  const { id } = await makeUser(system);
  payment.answer = async () => {
    throw error;
  };
  expect(await refusal(remove(id))).toMatchObject({ code: 'service-unavailable', status: 503, retryAfter: 5 });
  expect((await record(id)).state).toBe('active');
});

test('nobody is asked about a user that does not exist, is somebody else’s or is deleted already', async () => {
  await start();
  const [one, other] = [await makeUser(system), await makeUser(system)];
  expect(await refusal(remove(999_999))).toMatchObject({ code: 'not-found' });
  expect(await refusal(remove(other.id, system.as(one.id)))).toMatchObject({ code: 'forbidden' });
  expect(payment.asked).toEqual([]);
  system.auth.fail('disableCredentials');
  expect(await refusal(remove(one.id))).toMatchObject({ code: 'service-unavailable' });
  system.auth.heal();
  payment.answer = async () => ({ open: true });
  // The deletion holds already: what is left of it does not depend on billing.
  expect((await remove(one.id)).user.deletedAt).not.toBeNull();
  expect(payment.asked).toHaveLength(1);
});

test('an admin stays in the roster while payment thinks about it', async () => {
  await start();
  const [one, other] = [await makeUser(system, { role: 'admin' }), await makeUser(system, { role: 'admin' })];
  let release = () => {};
  payment.answer = async () => {
    if (payment.asked.at(-1)?.userId !== one.id) return { open: false };
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return { open: true };
  };
  const refused = refusal(remove(one.id));
  await eventually('the question', () => payment.asked.length === 1);
  expect((await remove(other.id)).user.deletedAt).not.toBeNull();
  release();
  expect(await refused).toMatchObject({ code: 'billing-open' });
});

test.each(['cancel-now', 'cancel-at-period-end'] as const)('%s: payment is not asked', async (policy) => {
  await start(policy);
  const { id } = await makeUser(system);
  payment.answer = async () => ({ open: true });
  expect((await remove(id)).user.deletedAt).not.toBeNull();
  expect(payment.asked).toEqual([]);
});

test('to refuse without a payment to ask is refused when the service is composed', async () => {
  await start();
  expect(() => system.compose({ billing: undefined })).toThrow(ConfigError);
  expect(() => system.compose({ billing: undefined })).toThrow(/BILLING_ON_DELETE is "refuse", but/);
});
