import { passwordChanged, passwordResetRequested } from '@latchkey/contracts';
import { eventually, refusal } from '@latchkey/tests';
import { type RunningAuth, startAuth } from '../testing/start-auth.js';

let system: RunningAuth;
beforeEach(async () => {
  system = await startAuth();
});
afterEach(() => system.stop());

const invalid = { code: 'reset-token-invalid', status: 400 };
const wrong = 'ab'.repeat(32);

/** A user with a live token. */
async function withToken(config: { password?: string; after?: number } = {}) {
  const user = await system.givenUser(config.password);
  return { user, reset_token: await askForToken(user) };
}

async function askForToken(user: { id: number; email: string }): Promise<string> {
  const own = () => system.queue.payloads(passwordResetRequested).filter(({ userId }) => userId === user.id);
  const before = own().length;
  await system.reset(user);
  const mail = await eventually('the mail', () => own()[before]);
  return system.sealer.unseal(mail.sealedToken, 'reset-token');
}

function change(user: { id: number }, reset_token: string, password = 'a fresh staple 42', address?: string) {
  return system.auth.changePassword({ body: { user_id: user.id, reset_token, password } }, system.context({}, address));
}
function check(user: { id: number }, reset_token: string, address?: string) {
  return system.auth.checkResetToken({ body: { user_id: user.id, reset_token } }, system.context({}, address));
}

test('the new password logs in and the old one does not', async () => {
  const { user, reset_token } = await withToken();
  expect(await check(user, reset_token)).toEqual({ valid: true });
  expect(await change(user, reset_token.toUpperCase())).toEqual({ message: 'Your password has been updated.' });
  await system.logIn(user, 'a fresh staple 42');
  expect(await refusal(system.logIn(user, 'correct horse'))).toMatchObject({ code: 'credentials-rejected' });
});

test('S49 of 50 changes at once with one token exactly one succeeds', async () => {
  const { user, reset_token } = await withToken();
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => change(user, reset_token, `attempt number ${n}`)),
  );
  const winners = answers.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
  expect(winners).toHaveLength(1);
  await system.logIn(user, `attempt number ${winners[0]}`);
});

test('S50 S51 S52 unknown, expired, used and foreign tokens are refused in one way, and change nothing', async () => {
  const one = await withToken();
  const other = await withToken();
  const used = await withToken();
  await change(used.user, used.reset_token);
  const refusals = [
    await refusal(change(one.user, wrong)),
    await refusal(change(one.user, other.reset_token)),
    await refusal(change(other.user, one.reset_token)),
    await refusal(change(used.user, used.reset_token)),
    await refusal(change({ id: 4711 }, wrong)),
    await refusal(check(one.user, other.reset_token)),
  ];
  system.clock.advance(1800);
  refusals.push(await refusal(change(one.user, one.reset_token)));
  for (const each of refusals) expect(each).toEqual(refusals[0]);
  expect(refusals[0]).toMatchObject(invalid);
  await system.logIn(one.user, 'correct horse');
  await system.logIn(other.user, 'correct horse');
});

test('S50 a token that runs out while the password is hashed is not spent', async () => {
  await system.stop();
  system = await startAuth({
    crashPoint: (name) => {
      if (name === 'change.before-write') system.clock.advance(1800);
    },
  });
  const { user, reset_token } = await withToken();
  expect(await refusal(change(user, reset_token))).toMatchObject(invalid);
  await system.logIn(user, 'correct horse');
});

test('S53 a refused password keeps the token', async () => {
  const { user, reset_token } = await withToken();
  for (const [password, reason] of [
    ['short', /at least 8/],
    ['password12345678', /common/],
    [`${user.email}1234567`, /name or email/],
    ['hopper the second', /name or email/],
    ['latchkey for ever', /service/],
  ] as const) {
    const refused = await refusal(change(user, reset_token, password));
    expect(refused).toMatchObject({ code: 'validation-failed', errors: [{ path: 'body.password' }] });
    expect(refused.message).toMatch(reason);
  }
  await change(user, reset_token);
});

test('S54 wrong tokens are limited per user, and a right one is never refused for them', async () => {
  const { user, reset_token } = await withToken();
  for (let n = 0; n < 50; n++) expect(await refusal(check(user, wrong, `203.0.113.${n}`))).toMatchObject(invalid);
  expect(await refusal(change(user, wrong, 'a fresh staple 42', '203.0.113.99'))).toMatchObject({
    code: 'rate-limited',
    limit: 'wrong-tokens-per-user',
    retryAfter: 900,
  });
  expect(await check(user, reset_token)).toEqual({ valid: true });
  await change(user, reset_token);
});

test('S54 wrong tokens are limited per address', async () => {
  for (let n = 0; n < 100; n++) expect(await refusal(check({ id: 1000 + n }, wrong))).toMatchObject(invalid);
  expect(await refusal(check({ id: 1 }, wrong))).toMatchObject({ limit: 'wrong-tokens-per-address' });
  const { user, reset_token } = await withToken();
  await change(user, reset_token);
});

test('S55 wrong types are refused before anything is looked up', async () => {
  const { user, reset_token } = await withToken();
  const bodies: object[] = [
    { user_id: user.id, reset_token: { $ne: null }, password: 'a fresh staple 42' },
    { user_id: String(user.id), reset_token, password: 'a fresh staple 42' },
    { user_id: user.id, reset_token: [reset_token], password: 'a fresh staple 42' },
    { user_id: user.id, reset_token, password: ['a fresh staple 42'] },
    { user_id: { $gt: 0 }, reset_token, password: 'a fresh staple 42' },
  ];
  for (const body of bodies) {
    expect(await refusal(system.auth.changePassword({ body: body as never }, system.context()))).toMatchObject({
      code: 'validation-failed',
    });
  }
  await change(user, reset_token);
});

test('S59 S45 every session and every other link ends, and the answer logs nobody in', async () => {
  const user = await system.givenUser();
  const { session } = await system.logIn(user, 'correct horse');
  const first = await askForToken(user);
  system.clock.advance(60);
  const second = await askForToken(user);
  const introspect = () =>
    system.auth.introspectSession({ body: { session_id: session.id, user_id: user.id } }, system.context());
  expect(await introspect()).toMatchObject({ active: true });
  const answer = await change(user, second);
  expect(Object.keys(answer)).toEqual(['message']);
  expect(await introspect()).toEqual({ active: false });
  expect(await refusal(change(user, first))).toMatchObject(invalid);
});

test('S60 one notice; its one secret is sealed and only disowns the change', async () => {
  const { user, reset_token } = await withToken();
  await change(user, reset_token, undefined, '203.0.113.9');
  const notices = await eventually('a notice', () => {
    const found = system.queue.payloads(passwordChanged);
    return found.length > 0 && found;
  });
  expect(notices).toEqual([
    {
      userId: user.id,
      to: user.email,
      name: 'Grace Hopper',
      languages: 'en',
      changedAt: new Date(system.clock.now()).toISOString(),
      changedFrom: '203.0.113.9',
      sealedDisownToken: expect.stringMatching(/^v1\./),
    },
  ]);
});

test('S21 a link works while logins are delayed, and so does the login after it', async () => {
  const user = await system.givenUser();
  for (let n = 0; n < 6; n++) await refusal(system.logIn(user, 'wrong horse', `203.0.113.${n}`));
  const reset_token = await askForToken(user);
  await change(user, reset_token);
  await system.logIn(user, 'a fresh staple 42');
});

test('S21 a link ends the delay of an address that the user itself delayed, too', async () => {
  const user = await system.givenUser();
  await system.logIn(user, 'correct horse');
  for (let n = 0; n < 6; n++) await refusal(system.logIn(user, 'wrong horse'));
  await change(user, await askForToken(user));
  await system.logIn(user, 'a fresh staple 42');
});

test('the link of a user who was deleted since is worth nothing', async () => {
  const { user, reset_token } = await withToken();
  system.users.change(user.id, { deletedAt: '2030-01-01T00:00:00.000Z' });
  expect(await refusal(change(user, reset_token))).toMatchObject(invalid);
});
