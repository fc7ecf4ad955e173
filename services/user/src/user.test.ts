import { eventually, refusal } from '@latchkey/tests';
import { makeUser, someone } from './testing/people.js';
import { type RunningUserService, startUserService } from './testing/start-user-service.js';

let system: RunningUserService;
afterEach(() => system.stop());

test('any-session: every valid cookie does all five, on everybody', async () => {
  system = await startUserService({ access: 'any-session' });
  const [one, other] = [await makeUser(system), await makeUser(system)];
  const cookie = system.as(one.id);
  const params = { id: String(other.id) };
  expect((await system.users.createUser({ body: someone() }, cookie)).user.id).toBeGreaterThan(other.id);
  expect((await system.users.listUsers({ query: {} }, cookie)).users).toHaveLength(3);
  expect((await system.users.showUser({ params, query: {} }, cookie)).user).toEqual(other);
  const body = { password: 'a new battery', first_name: 'Other' };
  expect((await system.users.updateUser({ params, body }, cookie)).user.first_name).toBe('Other');
  expect(system.auth.calls.at(-1)?.context.principal).toEqual({ ...cookie.principal, role: 'admin' });
  expect(await refusal(system.users.updateUser({ params: { id: String(one.id) }, body }, cookie))).toMatchObject({
    code: 'validation-failed',
  });
  expect((await system.users.deleteUser({ params }, cookie)).user.deletedAt).not.toBeNull();
  expect(await refusal(system.users.listUsers({ query: {} }, system.nobody()))).toMatchObject({
    code: 'session-required',
  });
});

test('health: the database is critical, the queue only degrades', async () => {
  system = await startUserService();
  const names = system.service.checks.map(({ name, critical }) => [name, critical]);
  expect(names).toEqual([
    ['database', true],
    ['queue', false],
  ]);
  expect(await Promise.all(system.service.checks.map((check) => check.run()))).toMatchObject([
    { status: 'ok' },
    { status: 'ok' },
  ]);
});

test('a deleted user’s personal data is wiped after ERASE_AFTER_DAYS, not before, and the id stays', async () => {
  system = await startUserService({ eraseAfterDays: 2 });
  const { id } = await makeUser(system, { email: 'old@example.org' });
  await system.users.deleteUser({ params: { id: String(id) } }, system.admin());
  await eventually('an empty outbox', async () => (await system.models.users.findById(id).lean())?.outbox.length === 0);
  const erased = async () => (await system.models.users.findById(id).lean())?.erasedAt !== undefined;

  system.clock.advance(2 * 86_400 - 60);
  const early = await system.startReplica();
  await early.service.stop();
  expect(await erased()).toBe(false);

  system.clock.advance(120);
  const late = await system.startReplica();
  await eventually('the wiping', erased);
  await late.service.stop();
  const { user } = await system.users.showUser(
    { params: { id: String(id) }, query: { deleted: 'true' } },
    system.admin(),
  );
  expect(user).toMatchObject({ id, email: '', first_name: '', last_name: '', payment_customer_id: null });
  const stored = JSON.stringify(await system.models.users.findById(id).lean());
  // Nor what they began with.
  expect([stored.includes('old@'), stored.includes('"person'), stored.includes('"pat')]).toEqual([false, false, false]);
});
