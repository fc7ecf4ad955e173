import { bindings, deadLetterApi, type Message } from '@latchkey/contracts';
import { createClient, directTransport } from '@latchkey/kit';
import { eventually } from '@latchkey/tests';
import { makeUser } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

let system: RunningUserService;
beforeAll(async () => {
  system = await startUserService();
  await makeUser(system, { role: 'admin' });
});
afterAll(() => system.stop());

/** Payment's customer document has the user's id for its own, and its version for the sequence. */
const link = (userId: number, paymentCustomerId: string | null, sequence: number, over: Partial<Message> = {}) =>
  system.queue.deliver(
    bindings.linkCustomer,
    { userId, paymentCustomerId },
    { aggregateId: String(userId), sequence, ...over },
  );
const show = async (id: number) =>
  (await system.users.showUser({ params: { id: String(id) }, query: { deleted: 'true' } }, system.admin())).user;
const record = (id: number) => system.models.users.findById(id).lean().orFail();
const remove = (id: number) => system.users.deleteUser({ params: { id: String(id) } }, system.admin());
const done = { kind: 'done' };

test('the customer is linked, replaced and unlinked; the user shows it, and when it changed', async () => {
  const user = await makeUser(system);
  expect(user.payment_customer_id).toBeNull();
  system.clock.advance(60);
  expect(await link(user.id, 'cus_1', 1)).toEqual(done);
  const linked = await show(user.id);
  expect(linked).toEqual({ ...user, payment_customer_id: 'cus_1', updatedAt: expect.any(String) });
  expect(Date.parse(linked.updatedAt) - Date.parse(user.updatedAt)).toBeGreaterThanOrEqual(60_000);
  await link(user.id, 'cus_2', 2);
  expect((await show(user.id)).payment_customer_id).toBe('cus_2');
  await link(user.id, null, 3);
  expect((await show(user.id)).payment_customer_id).toBeNull();
});

test('F31 a duplicate changes nothing, one after another or many at once', async () => {
  const { id } = await makeUser(system);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => link(id, 'cus_1', 4)));
  expect(outcomes).toEqual(outcomes.map(() => done));
  const before = await record(id);
  expect(before.paymentCustomerId).toBe('cus_1');
  system.clock.advance(60);
  expect(await link(id, 'cus_1', 4)).toEqual(done);
  expect(await record(id)).toEqual(before);
});

test('O9 out of order: what is older than what was here is dropped, in every order', async () => {
  const customers = ['cus_1', null, 'cus_2'];
  for (const order of ['123', '132', '213', '231', '312', '321']) {
    const { id } = await makeUser(system);
    for (const at of order) expect(await link(id, customers[Number(at) - 1] ?? null, Number(at))).toEqual(done);
    expect([order, (await show(id)).payment_customer_id]).toEqual([order, 'cus_2']);
  }
});

test('O9 at once in any order, the newest wins', async () => {
  const { id } = await makeUser(system);
  await Promise.all([5, 3, 9, 1, 7, 8, 2].map((sequence) => link(id, `cus_${sequence}`, sequence)));
  expect((await show(id)).payment_customer_id).toBe('cus_9');
});

test('O9 an unlink that comes first is not undone by the link before it', async () => {
  const { id } = await makeUser(system);
  await link(id, null, 2);
  await link(id, 'cus_1', 1);
  expect((await show(id)).payment_customer_id).toBeNull();
});

test('sequences compare only within one aggregate', async () => {
  const { id } = await makeUser(system);
  await link(id, 'cus_1', 7);
  await link(id, 'cus_2', 1, { aggregateId: 'another' });
  expect((await show(id)).payment_customer_id).toBe('cus_2');
});

test('a link beside an update of the user: both hold', async () => {
  const { id } = await makeUser(system);
  const input = { params: { id: String(id) }, body: { first_name: 'Renamed' } };
  await Promise.all([link(id, 'cus_1', 1), system.users.updateUser(input, system.admin())]);
  expect(await show(id)).toMatchObject({ payment_customer_id: 'cus_1', first_name: 'Renamed' });
});

test('a deleted user takes its link, since invoices name it, and stays deleted', async () => {
  const { id } = await makeUser(system);
  const { user } = await remove(id);
  expect(await link(id, 'cus_1', 1)).toEqual(done);
  expect(await show(id)).toMatchObject({ payment_customer_id: 'cus_1', deletedAt: user.deletedAt });
});

test('a user whose personal data was wiped gets nothing back', async () => {
  const { id } = await makeUser(system);
  await link(id, 'cus_1', 1);
  await remove(id);
  const erased = { $set: { erasedAt: new Date() }, $unset: { paymentCustomerId: 1 } } as const;
  await system.models.users.updateOne({ _id: id }, erased);
  expect(await link(id, 'cus_2', 2)).toEqual(done);
  expect(await show(id)).toMatchObject({ payment_customer_id: null });
});

test('an unknown user: dead at once, listed for admins, and replayable once the user is back', async () => {
  expect(await link(999_999, 'cus_1', 1)).toMatchObject({ kind: 'dead', reason: expect.stringContaining('999999') });
  const api = createClient(
    deadLetterApi,
    directTransport({ routes: () => system.service.routes, clock: system.clock }),
  );
  const { dead_letters: letters } = await api.listDeadLetters({ query: {} }, system.admin());
  expect(letters).toMatchObject([{ service: 'user', queue: 'user.link-customer', replayed_at: null }]);
  await api.replayDeadLetter({ params: { id: letters[0]?.id ?? '' } }, system.admin());
  expect(system.queue.redelivered).toMatchObject([
    { queue: 'user.link-customer', message: { payload: { userId: 999_999, paymentCustomerId: 'cus_1' } } },
  ]);
});

test('a user still being created has no customer yet: nothing is written', async () => {
  const { id } = await makeUser(system);
  await system.models.users.updateOne({ _id: id }, { $set: { state: 'pending' } });
  expect(await link(id, 'cus_1', 1)).toMatchObject({ kind: 'dead' });
  expect((await record(id)).paymentCustomerId).toBeUndefined();
});

test('the deletion that follows names the customer', async () => {
  const { id } = await makeUser(system);
  await link(id, 'cus_1', 1);
  await remove(id);
  const told = await eventually('the event', () =>
    system.queue.messages.find(({ name, aggregateId }) => name === 'user.deleted.v1' && aggregateId === String(id)),
  );
  expect(told.payload).toEqual({ userId: id, paymentCustomerId: 'cus_1' });
});
