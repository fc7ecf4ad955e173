import { emailChanged, emailChangeRequested } from '@latchkey/contracts';
import { eventually, refusal } from '@latchkey/tests';
import { makeUser } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

let system: RunningUserService;
let fresh = 0;
beforeEach(async () => {
  system = await startUserService();
});
afterEach(() => system.stop());

const newEmail = () => `new${++fresh}@example.org`;
const show = async (id: number) =>
  (await system.users.showUser({ params: { id: String(id) }, query: {} }, system.admin())).user;
const confirm = (user_id: number, confirm_token: string, address?: string) =>
  system.users.confirmEmail({ body: { user_id, confirm_token } }, system.nobody(address));
const request = (id: number, email: string, current_password?: string) =>
  system.users.updateUser(
    { params: { id: String(id) }, body: { email, ...(current_password && { current_password }) } },
    system.as(id),
  );

/** Asks for the change and reads the token from the sealed event, as the mailer would. */
async function requested(id: number, email: string): Promise<string> {
  await request(id, email, 'correct horse');
  return await tokenFor(email);
}

async function tokenFor(email: string): Promise<string> {
  const event = await eventually('the request', () =>
    system.queue.payloads(emailChangeRequested).findLast(({ to }) => to === email),
  );
  return system.sealer.unseal(event.sealedToken, 'email-confirmation');
}

test('S70 a changed email needs the password, takes effect when confirmed, and the old address is told', async () => {
  const before = await makeUser(system);
  const email = newEmail();
  expect(await refusal(request(before.id, email))).toMatchObject({ code: 'validation-failed' });
  expect(await refusal(request(before.id, email, 'wrong'))).toMatchObject({ code: 'credentials-rejected' });
  expect((await request(before.id, email, 'correct horse')).user.email).toBe(before.email);
  expect((await show(before.id)).email).toBe(before.email);

  const token = await tokenFor(email);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(await confirm(before.id, token)).toEqual({ message: expect.any(String) });
  expect((await show(before.id)).email).toBe(email);
  expect(system.auth.names().at(-1)).toBe(`dropResets ${before.id}`);
  const told = await eventually('the notice', () => system.queue.payloads(emailChanged)[0]);
  expect(told).toMatchObject({ userId: before.id, oldEmail: before.email, newEmail: email, languages: 'de' });
  const { user } = await system.users.findUserByEmail({ body: { email: email.toUpperCase() } }, system.admin());
  expect(user?.id).toBe(before.id);
  expect(await system.users.findUserByEmail({ body: { email: before.email } }, system.admin())).toEqual({ user: null });
});

test('S47 S48 the token is nowhere in the database', async () => {
  const { id } = await makeUser(system);
  system.queue.away = true;
  await request(id, newEmail(), 'correct horse');
  const stored = await system.models.users.findById(id).lean().orFail();
  const [sealed] = stored.outbox
    .map(({ payload }) => (payload as { sealedToken?: string }).sealedToken)
    .filter(Boolean);
  expect(JSON.stringify(stored)).not.toContain(system.sealer.unseal(String(sealed), 'email-confirmation'));
});

test('S51 S52 unknown, expired, used and another user’s token are answered alike', async () => {
  const [one, other] = [await makeUser(system), await makeUser(system)];
  const token = await requested(one.id, newEmail());
  const expected = { code: 'link-invalid', status: 400 };
  const unknown = await refusal(confirm(one.id, 'ab'.repeat(32)));
  expect(unknown).toMatchObject(expected);
  expect(await refusal(confirm(other.id, token))).toEqual(unknown);
  expect(await refusal(confirm(999_999, token))).toEqual(unknown);
  await confirm(one.id, token);
  expect(await refusal(confirm(one.id, token))).toEqual(unknown);
  const late = await requested(other.id, newEmail());
  system.clock.advance(24 * 60 * 60 + 1);
  expect(await refusal(confirm(other.id, late))).toEqual(unknown);
  expect((await show(other.id)).email).toBe(other.email);
});

test('S49 of 20 parallel confirmations with one token one succeeds', async () => {
  const { id } = await makeUser(system);
  const token = await requested(id, newEmail());
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => confirm(id, token)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(system.queue.payloads(emailChanged).length).toBeLessThanOrEqual(1);
});

test('two users who want one address: the first to confirm has it, the other is told so', async () => {
  const [one, other] = [await makeUser(system), await makeUser(system)];
  const email = newEmail();
  const tokens = [await requested(one.id, email), await requested(other.id, email.toUpperCase())];
  await confirm(one.id, tokens[0] as string);
  expect(await refusal(confirm(other.id, tokens[1] as string))).toMatchObject({ code: 'email-taken' });
  expect((await show(other.id)).email).toBe(other.email);
});

test('an address in use is 409 at once, the own one in another case is not', async () => {
  const [one, other] = [await makeUser(system), await makeUser(system)];
  expect(await refusal(request(one.id, other.email.toUpperCase(), 'correct horse'))).toMatchObject({
    code: 'email-taken',
  });
  const shouted = one.email.toUpperCase();
  await confirm(one.id, await requested(one.id, shouted));
  expect((await show(one.id)).email).toBe(shouted);
});

test('five changes an hour that mail somebody, also at once; the password is asked for first, and an admin’s are not counted', async () => {
  const { id } = await makeUser(system);
  const asked = await Promise.allSettled(Array.from({ length: 12 }, () => request(id, newEmail(), 'correct horse')));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const mailed = () => system.queue.payloads(emailChangeRequested).length;
  await eventually('five mails', () => mailed() === 5);
  expect(await refusal(request(id, newEmail(), 'correct horse'))).toMatchObject({
    code: 'rate-limited',
    limit: 'email-changes-per-user',
    retryAfter: expect.any(Number),
  });
  expect(await refusal(request(id, newEmail(), 'wrong horse'))).toMatchObject({ code: 'credentials-rejected' });
  expect(mailed()).toBe(5);
  // Refused before anything is changed: a password that comes along is not set either.
  const both = { email: newEmail(), password: 'another horse', current_password: 'correct horse' };
  const update = system.users.updateUser({ params: { id: String(id) }, body: both }, system.as(id));
  expect(await refusal(update)).toMatchObject({ code: 'rate-limited' });
  expect(system.auth.names().filter((name) => name === `setPassword ${id}`)).toHaveLength(1);
  const body = { email: newEmail() };
  await system.users.updateUser({ params: { id: String(id) }, body }, system.admin());
  system.clock.advance(3600);
  await request(id, newEmail(), 'correct horse');
});

test('asking for the address one has takes a waiting change back', async () => {
  const { id, email } = await makeUser(system);
  const token = await requested(id, newEmail());
  await request(id, email, 'correct horse');
  expect(await refusal(confirm(id, token))).toMatchObject({ code: 'link-invalid' });
});

test('an admin’s change of another’s email is in use at once, and ends a waiting change', async () => {
  const { id, email: old } = await makeUser(system);
  const token = await requested(id, newEmail());
  const email = newEmail();
  const { user } = await system.users.updateUser({ params: { id: String(id) }, body: { email } }, system.admin());
  expect(user.email).toBe(email);
  expect(system.auth.names().at(-1)).toBe(`dropResets ${id}`);
  await eventually('the notice', () => system.queue.payloads(emailChanged).find(({ oldEmail }) => oldEmail === old));
  expect(await refusal(confirm(id, token))).toMatchObject({ code: 'link-invalid' });
});

test('an admin’s own email needs the password and the confirmation like everybody’s', async () => {
  const { id, email: old } = await makeUser(system, { role: 'admin' });
  const email = newEmail();
  const change = (body: { email: string; current_password?: string }) =>
    system.users.updateUser({ params: { id: String(id) }, body }, system.as(id, 'admin'));
  expect(await refusal(change({ email }))).toMatchObject({ code: 'validation-failed' });
  expect((await change({ email, current_password: 'correct horse' })).user.email).toBe(old);
});

test('auth away at the confirmation: the change holds, and the sweep drops the resets later', async () => {
  const { id } = await makeUser(system);
  const email = newEmail();
  const token = await requested(id, email);
  system.auth.fail('dropResets');
  await confirm(id, token);
  expect((await show(id)).email).toBe(email);
  system.auth.heal();
  system.auth.calls.length = 0;
  system.clock.advance(31);
  const replica = await system.startReplica();
  await eventually('the resets to be dropped', () => system.auth.names().includes(`dropResets ${id}`));
  await replica.service.stop();
});

test('a reissued link works, the earlier one does not', async () => {
  const { id } = await makeUser(system);
  const email = newEmail();
  const earlier = await requested(id, email);
  await system.users.reissueEmailConfirmation({ params: { user_id: String(id) } }, system.admin());
  await eventually('the second mail', () => system.queue.payloads(emailChangeRequested)[1]);
  expect(await refusal(confirm(id, earlier))).toMatchObject({ code: 'link-invalid' });
  await confirm(id, await tokenFor(email));
  expect((await show(id)).email).toBe(email);
});

test('nothing to reissue: 409 without a waiting change or past its time, 404 without a user', async () => {
  const { id } = await makeUser(system);
  const reissue = (user_id: number) =>
    system.users.reissueEmailConfirmation({ params: { user_id: String(user_id) } }, system.admin());
  expect(await refusal(reissue(id))).toMatchObject({ code: 'not-replayable' });
  await requested(id, newEmail());
  system.clock.advance(24 * 60 * 60 + 1);
  expect(await refusal(reissue(id))).toMatchObject({ code: 'not-replayable' });
  expect(await refusal(reissue(999_999))).toMatchObject({ code: 'not-found' });
});

describe('S54 wrong tokens are limited', () => {
  const wrong = 'cd'.repeat(32);
  const miss = async (id: number, address: string) => (await refusal(confirm(id, wrong, address))).code;

  test('per user, from whatever address; a right token is not held up by them', async () => {
    const { id } = await makeUser(system);
    const token = await requested(id, newEmail());
    for (let count = 0; count < 50; count++) expect(await miss(id, `198.51.100.${count}`)).toBe('link-invalid');
    expect(await refusal(confirm(id, wrong, '203.0.113.1'))).toMatchObject({
      code: 'rate-limited',
      limit: 'wrong-tokens-per-user',
      retryAfter: expect.any(Number),
    });
    await confirm(id, token);
  });

  test('per address, whoever the user is; an IPv6 address counts by its /64', async () => {
    for (let count = 0; count < 100; count++) {
      expect(await miss(1000 + count, `2001:db8:1:2::${count.toString(16)}`)).toBe('link-invalid');
    }
    expect(await miss(5000, '2001:db8:1:2:ffff::1')).toBe('rate-limited');
    expect(await miss(5000, '2001:db8:1:3::1')).toBe('link-invalid');
    system.clock.advance(15 * 60);
    expect(await miss(5000, '2001:db8:1:2:ffff::1')).toBe('link-invalid');
  });
});
