import { userRoleChanged } from '@latchkey/contracts';
import { Problem } from '@latchkey/kit';
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
});

type Body = Parameters<RunningUserService['users']['updateUser']>[0]['body'];
const update = (id: number, body: Body, context = system.admin()) =>
  system.users.updateUser({ params: { id: String(id) }, body }, context);
/** How often auth was told to end this user's sessions. */
const endings = (id: number) => system.auth.names().filter((name) => name === `endAllSessions ${id}`).length;
const show = async (id: number) =>
  (await system.users.showUser({ params: { id: String(id) }, query: {} }, system.admin())).user;

test('only the given fields change, and the update time', async () => {
  const before = await makeUser(system);
  system.auth.calls.length = 0;
  system.clock.advance(5);
  const { user } = await update(before.id, { last_name: 'Şahin' }, system.as(before.id));
  expect(user).toEqual({ ...before, last_name: 'Şahin', updatedAt: user.updatedAt });
  expect(user.updatedAt > before.updatedAt).toBe(true);
  expect(await show(before.id)).toEqual(user);
  expect(system.auth.calls).toEqual([]);
});

test('giving what is there already changes nothing', async () => {
  const before = await makeUser(system);
  system.clock.advance(5);
  const { first_name, last_name } = before;
  expect((await update(before.id, { first_name, last_name, role: 'member' })).user).toEqual(before);
});

test('a changed name is found by search, the old one is not', async () => {
  const { id } = await makeUser(system, { first_name: 'Quirin' });
  await update(id, { first_name: 'Xaver' });
  const found = async (q: string) => (await system.users.listUsers({ query: { q } }, system.admin())).users;
  expect(await found('xav')).toHaveLength(1);
  expect(await found('quirin')).toHaveLength(0);
});

test('S68 a member changes itself only: 403 for any other id, existing or not', async () => {
  const [one, other] = [await makeUser(system), await makeUser(system)];
  const answers = await Promise.all(
    [other.id, 999_999].map((id) => refusal(update(id, { first_name: 'Mallory' }, system.as(one.id)))),
  );
  expect(answers[0]).toMatchObject({ code: 'forbidden', status: 403 });
  expect(answers[1]).toEqual(answers[0]);
  expect(await show(other.id)).toEqual(other);
});

test('S69 a member gives nobody a role, itself neither', async () => {
  const { id } = await makeUser(system);
  expect(await refusal(update(id, { role: 'admin' }, system.as(id)))).toMatchObject({ code: 'forbidden' });
  expect((await show(id)).role).toBe('member');
});

test.each([
  '_id',
  'state',
  'emailKey',
  'passwordHash',
  'payment_customer_id',
  'paymentCustomerId',
  'deletedAt',
  'outbox',
  'constructor',
])('S69 the field %s is refused', async (field) => {
  const before = await makeUser(system);
  const body = { first_name: 'Eve', [field]: 'x' } as Body;
  expect(await refusal(update(before.id, body))).toMatchObject({ code: 'validation-failed' });
  expect(await show(before.id)).toEqual(before);
});

test('unknown, deleted: 404 for an admin', async () => {
  const { id } = await makeUser(system);
  await system.users.deleteUser({ params: { id: String(id) } }, system.admin());
  for (const each of [id, 999_999]) {
    expect(await refusal(update(each, { first_name: 'Nobody' }))).toMatchObject({ code: 'not-found' });
  }
});

test('S13 the own password needs the current one; auth keeps the acting session', async () => {
  const { id, email } = await makeUser(system);
  const own = system.as(id);
  expect(await refusal(update(id, { password: 'a new battery' }, own))).toMatchObject({
    code: 'validation-failed',
    errors: [expect.objectContaining({ path: 'body.current_password' })],
  });
  expect(await refusal(update(id, { password: 'a new battery', current_password: 'wrong' }, own))).toMatchObject({
    code: 'credentials-rejected',
  });
  expect(system.auth.passwords.get(id)).toBe('correct horse');
  await update(id, { password: 'a new battery', current_password: 'correct horse' }, own);
  expect(system.auth.passwords.get(id)).toBe('a new battery');
  const change = system.auth.calls.at(-1);
  expect(change?.body).toMatchObject({ mode: 'change', current_password: 'correct horse', email });
  expect(change?.context.principal?.sessionId).toBe(own.principal?.sessionId);
});

test('an admin sets another’s password without the current one, its own only with it', async () => {
  const { id } = await makeUser(system);
  const boss = await makeUser(system, { role: 'admin' });
  await update(id, { password: 'a new battery', current_password: 'ignored' }, system.as(boss.id, 'admin'));
  expect(system.auth.passwords.get(id)).toBe('a new battery');
  expect(system.auth.calls.at(-1)?.body).not.toHaveProperty('current_password');
  expect(await refusal(update(boss.id, { password: 'x y z' }, system.as(boss.id, 'admin')))).toMatchObject({
    code: 'validation-failed',
  });
});

test('a pending reset is auth’s refusal and is passed on', async () => {
  const { id } = await makeUser(system);
  system.auth.fail('setPassword', new Problem('reset-pending'));
  const body = { password: 'a new battery', current_password: 'correct horse' };
  expect(await refusal(update(id, body, system.as(id)))).toMatchObject({ code: 'reset-pending', status: 409 });
});

test('several fields: nothing changes when one of them is refused', async () => {
  const before = await makeUser(system);
  const taken = await makeUser(system);
  const fields = { first_name: 'Half', password: 'a new battery', current_password: 'correct horse' };
  const refused: [Body, string][] = [
    [{ ...fields, current_password: 'wrong' }, 'credentials-rejected'],
    [{ ...fields, email: taken.email }, 'email-taken'],
    [{ ...fields, password: 'weak' }, 'validation-failed'],
    [{ ...fields, email: 'fresh@example.org', password: 'weak' }, 'validation-failed'],
  ];
  for (const [body, code] of refused) {
    expect(await refusal(update(before.id, body, system.as(before.id)))).toMatchObject({ code });
  }
  expect(await show(before.id)).toEqual(before);
  expect(system.auth.passwords.get(before.id)).toBe('correct horse');
});

test('S70 a wrong password is told before whether an email is taken', async () => {
  const { id } = await makeUser(system);
  const taken = await makeUser(system);
  const body = { email: taken.email, current_password: 'guess' };
  expect(await refusal(update(id, body, system.as(id)))).toMatchObject({ code: 'credentials-rejected' });
});

test('a change of role ends the sessions before the answer, and its event is told', async () => {
  const { id } = await makeUser(system);
  expect((await update(id, { role: 'admin' })).user.role).toBe('admin');
  expect(endings(id)).toBe(1);
  await eventually('the event', () => system.queue.payloads(userRoleChanged).find(({ userId }) => userId === id));
  await update(id, { first_name: 'Again' });
  expect(endings(id)).toBe(1);
});

test('auth away at a change of role: the role holds, the answer is 503, the same request again completes', async () => {
  const { id } = await makeUser(system);
  system.auth.fail('endAllSessions');
  expect(await refusal(update(id, { role: 'admin' }))).toMatchObject({ code: 'service-unavailable' });
  expect((await show(id)).role).toBe('admin');
  system.auth.heal();
  await update(id, { role: 'admin' });
  expect(endings(id)).toBe(2);
  await update(id, { role: 'admin' });
  expect(endings(id)).toBe(2);
});

test('auth away at a change of role and nobody asks again: the sweep completes it', async () => {
  const { id } = await makeUser(system);
  system.auth.fail('endAllSessions');
  await refusal(update(id, { role: 'admin' }));
  system.auth.heal();
  system.clock.advance(31);
  const replica = await system.startReplica();
  await eventually('the sessions to end', () => endings(id) === 2);
  await replica.service.stop();
});

test('50 parallel changes of different fields all hold', async () => {
  const { id } = await makeUser(system);
  const changes: Body[] = Array.from({ length: 50 }, (_, at) =>
    at % 2 === 0 ? { first_name: `First ${at}` } : { last_name: `Last ${at}` },
  );
  await Promise.all(changes.map((body) => update(id, body)));
  const user = await show(id);
  expect(user.first_name).toMatch(/^First /);
  expect(user.last_name).toMatch(/^Last /);
});
