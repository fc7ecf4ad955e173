import { userDeleted } from '@latchkey/contracts';
import { eventually, refusal } from '@latchkey/tests';
import { makeUser } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

let system: RunningUserService;
beforeAll(async () => {
  system = await startUserService();
  await makeUser(system, { role: 'admin' });
});
afterAll(() => system.stop());
beforeEach(() => {
  system.auth.heal();
  system.auth.calls.length = 0;
  system.queue.away = false;
});

const remove = (id: number, context = system.admin()) =>
  system.users.deleteUser({ params: { id: String(id) } }, context);
const show = async (id: number, deleted: 'true' | 'false') =>
  (await system.users.showUser({ params: { id: String(id) }, query: { deleted } }, system.admin())).user;

test('soft: answered with deletedAt after auth disabled the credentials; then 404 but with deleted=true', async () => {
  const { id, email } = await makeUser(system);
  const { user } = await remove(id);
  expect(user).toMatchObject({ id, email, deletedAt: expect.any(String) });
  expect(system.auth.names().at(-1)).toBe(`disableCredentials ${id}`);
  expect(await refusal(show(id, 'false'))).toMatchObject({ code: 'not-found' });
  expect(await show(id, 'true')).toEqual(user);
  expect(await system.users.findUserByEmail({ body: { email } }, system.admin())).toEqual({ user: null });
  expect(await system.users.findUserById({ params: { user_id: String(id) } }, system.admin())).toEqual({ user });
  const event = await eventually('the event', () =>
    system.queue.payloads(userDeleted).find(({ userId }) => userId === id),
  );
  expect(event).toEqual({ userId: id, paymentCustomerId: null });
  expect(await refusal(remove(id))).toMatchObject({ code: 'not-found' });
});

test('a member deletes itself', async () => {
  const { id } = await makeUser(system);
  expect((await remove(id, system.as(id))).user.deletedAt).not.toBeNull();
});

test('S68 a member deletes nobody else: 403, existing or not, and nothing changed', async () => {
  const [one, other] = [await makeUser(system), await makeUser(system)];
  const answers = await Promise.all([other.id, 999_999].map((id) => refusal(remove(id, system.as(one.id)))));
  expect(answers[0]).toMatchObject({ code: 'forbidden' });
  expect(answers[1]).toEqual(answers[0]);
  expect(await show(other.id, 'false')).toEqual(other);
});

test('auth away: the deletion holds, the answer is 503; repeated it completes, once', async () => {
  const { id } = await makeUser(system);
  system.auth.fail('disableCredentials');
  expect(await refusal(remove(id))).toMatchObject({ code: 'service-unavailable' });
  expect(await refusal(show(id, 'false'))).toMatchObject({ code: 'not-found' });
  expect(await refusal(remove(id))).toMatchObject({ code: 'service-unavailable' });
  system.auth.heal();
  expect((await remove(id)).user.deletedAt).not.toBeNull();
  expect(system.auth.disabled.has(id)).toBe(true);
  expect(await refusal(remove(id))).toMatchObject({ code: 'not-found' });
});

test('20 parallel deletions of one user tell of it once', async () => {
  const { id } = await makeUser(system);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => remove(id)));
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
  await eventually('the event', () => system.queue.payloads(userDeleted).find(({ userId }) => userId === id));
  expect(system.queue.payloads(userDeleted).filter(({ userId }) => userId === id)).toHaveLength(1);
});

test('O6 deleted while the queue is away: the event survives in the record and arrives', async () => {
  system.queue.away = true;
  const { id } = await makeUser(system);
  await remove(id);
  const record = await system.models.users.findById(id).lean();
  expect(record?.outbox.map(({ name }) => name)).toEqual(['user.created.v1', 'user.deleted.v1']);
  system.queue.away = false;
  await eventually('both events', () => system.queue.payloads(userDeleted).find(({ userId }) => userId === id), 15_000);
  await eventually('an empty outbox', async () => (await system.models.users.findById(id).lean())?.outbox.length === 0);
}, 30_000);
