import { refusal } from '@latchkey/tests';
import { hash as bcrypt } from 'bcrypt';
import { decode } from 'jsonwebtoken';
import { costOf, createPasswordScheme } from '../domain/password-scheme.js';
import { inProcessHasher } from '../testing/in-process-hasher.js';
import { type RunningAuth, startAuth } from '../testing/start-auth.js';

const spent: number[] = [];
const inner = inProcessHasher(4);
const counting: typeof inner = {
  ...inner,
  verify: (secret, hash, options) => {
    spent.push(2 ** costOf(hash));
    return inner.verify(secret, hash, options);
  },
};
const work = () => spent.splice(0).reduce((sum, cost) => sum + cost, 0);

let system: RunningAuth;
beforeAll(async () => {
  system = await startAuth({ hasher: counting, config: { rateLimitScale: 1000 } });
});
afterAll(() => system.stop());

const rejected = {
  code: 'credentials-rejected',
  status: 401,
  message: 'The email or the password is wrong',
  limit: undefined,
  retryAfter: undefined,
  errors: undefined,
};

test('S24 login gives a new session each time, with the user and a token', async () => {
  const user = await system.givenUser();
  const first = await system.logIn(user, 'correct horse');
  const second = await system.logIn({ email: user.email.toUpperCase() }, 'correct horse');
  expect(first.user).toEqual(user);
  expect(first.session).toMatchObject({ current: true, address: '192.0.2.1', user_agent: 'jest' });
  expect(first.session.id).toMatch(/^[0-9a-f]{32}$/);
  expect(second.session.id).not.toBe(first.session.id);
});

test('S43 the token holds sub, sid, iat, exp, iss, aud and nothing else, with kid and an explicit typ', async () => {
  const user = await system.givenUser();
  const { token, session } = await system.logIn(user, 'correct horse');
  const { keys } = await system.auth.showKeys({}, system.context());
  const { header, payload } = decode(token, { complete: true }) ?? {};
  const iat = system.clock.now() / 1000;
  expect(header).toEqual({ alg: 'ES256', typ: 'latchkey-session+jwt', kid: keys[0]?.kid });
  expect(payload).toEqual({
    sub: String(user.id),
    sid: session.id,
    iat,
    exp: iat + 43200,
    iss: 'latchkey',
    aud: 'latchkey',
  });
});

test('S14 S15 wrong, unknown, deleted, disabled, invited and reset users are refused alike, at the same cost', async () => {
  const someone = await system.givenUser();
  const deleted = await system.givenUser();
  system.users.change(deleted.id, { deletedAt: '2030-01-01T00:00:00.000Z' });
  const disabled = await system.givenUser();
  await system.auth.disableCredentials({ params: { user_id: String(disabled.id) } }, system.admin());
  const invited = await system.givenUser(null);
  const reset = await system.givenUser();
  await system.reset(reset);
  const cheap = await system.givenUser();
  const imported = { hash: await bcrypt('imported', 4), scheme: 'bcrypt', pepperId: null };
  await system.models.credentials.updateOne({ _id: cheap.id }, { $set: { password: imported } });
  spent.length = 0;

  const attempts: [{ email: string }, string][] = [
    [someone, 'wrong horse'],
    [{ email: 'nobody@example.org' }, 'correct horse'],
    [deleted, 'correct horse'],
    [disabled, 'correct horse'],
    [invited, 'correct horse'],
    [reset, 'correct horse'],
    [cheap, 'correct horse'],
  ];
  for (const [user, password] of attempts) {
    expect(await refusal(system.logIn(user, password))).toEqual(rejected);
    expect(work()).toBe(2 ** 4);
  }
});

test('S08 the policy is not applied at login: an old weak password works', async () => {
  const user = await system.givenUser();
  const stored = { hash: await bcrypt('abc123', 4), scheme: 'bcrypt', pepperId: null };
  await system.models.credentials.updateOne({ _id: user.id }, { $set: { password: stored } });
  await expect(system.logIn(user, 'abc123')).resolves.toMatchObject({ user: { id: user.id } });
});

test('S09 S12 the stored value is a bcrypt hash of its own, and is in no answer and no log', async () => {
  const [one, other] = [await system.givenUser(), await system.givenUser()];
  const stored = await Promise.all(
    [one, other].map(async ({ id }) => (await system.models.credentials.findOne({ _id: id }).lean())?.password),
  );
  expect(stored[0]).toEqual({
    hash: expect.stringMatching(/^\$2b\$04\$/),
    scheme: 'bcrypt-hmac-sha384',
    pepperId: expect.any(String),
  });
  expect(stored[0]?.hash).not.toBe(stored[1]?.hash);
  const answer = await system.logIn(one, 'correct horse');
  expect(JSON.stringify(answer)).not.toMatch(/\$2[aby]\$/);
  expect(system.log()).not.toMatch(/\$2[aby]\$/);
});

test('S10 a plain, cheaper or old hash is replaced at login, and logs in again', async () => {
  const user = await system.givenUser();
  const stored = { hash: (await bcrypt('correct horse', 4)).replace('$2b$', '$2y$'), scheme: 'bcrypt', pepperId: null };
  await system.models.credentials.updateOne({ _id: user.id }, { $set: { password: stored } });
  await system.logIn(user, 'correct horse');
  const upgraded = await system.models.credentials.findOne({ _id: user.id }).lean();
  expect(upgraded?.password).toMatchObject({ scheme: 'bcrypt-hmac-sha384' });
  await system.logIn(user, 'correct horse');

  const costly = await startAuth({ config: { bcryptCost: 5 } });
  try {
    const one = await costly.givenUser();
    const { password } = (await costly.models.credentials.findOne({ _id: one.id }).lean()) ?? {};
    const { secret } = createPasswordScheme(costly.config.peppers, 5).prepare('correct horse');
    const cheaper = { ...password, hash: await bcrypt(secret, 4) };
    await costly.models.credentials.updateOne({ _id: one.id }, { $set: { password: cheaper } });
    await costly.logIn(one, 'correct horse');
    const raised = await costly.models.credentials.findOne({ _id: one.id }).lean();
    expect(costOf(raised?.password?.hash ?? '')).toBe(5);
  } finally {
    await costly.stop();
  }
});

test('S26 one line for each attempt: who, from where, the result; no email and no password', async () => {
  const user = await system.givenUser();
  const before = system.log().length;
  await system.logIn(user, 'correct horse');
  await refusal(system.logIn(user, 'wrong horse'));
  await refusal(system.logIn({ email: 'stranger@example.org' }, 'whatever else'));
  const text = system.log().slice(before);
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((line) => line.audit === 'login');
  expect(lines).toMatchObject([
    { result: 'success', user_id: user.id, from: '192.0.2.1', request_id: 'test' },
    { result: 'failure', user_id: null, from: '192.0.2.1' },
    { result: 'failure', user_id: null, from: '192.0.2.1' },
  ]);
  expect(lines[1].account).toBe(lines[0].account);
  expect(text).not.toMatch(/horse|whatever|example\.org/);
});

test('a user who is deleted while the password is verified does not get in', async () => {
  const user = await system.givenUser();
  system.users.change(user.id, { deletedAt: '2030-01-01T00:00:00.000Z' });
  const lookup = jest
    .spyOn(system.users.client, 'findUserByEmail')
    .mockResolvedValueOnce({ user: { ...user, deletedAt: null } });
  expect(await refusal(system.logIn(user, 'correct horse'))).toEqual(rejected);
  lookup.mockRestore();
});
