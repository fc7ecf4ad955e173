import { userCreated } from '@latchkey/contracts';
import { Problem } from '@latchkey/kit';
import { eventually, refusal } from '@latchkey/tests';
import { makeUser, someone } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

let system: RunningUserService;
beforeAll(async () => {
  system = await startUserService();
});
afterAll(() => system.stop());
beforeEach(() => {
  system.auth.heal();
  system.auth.calls.length = 0;
});

const create = (body: ReturnType<typeof someone>, context = system.admin()) =>
  system.users.createUser({ body }, context);
const records = (email: string) => system.models.users.find({ emailKey: email.toLowerCase() }).lean();

test('a user with a password: active, known to auth, announced once', async () => {
  const body = someone({ password: 'correct horse', first_name: 'Zoë' });
  const { user } = await create(body);
  expect(user).toMatchObject({ email: body.email, first_name: 'Zoë', role: 'member', deletedAt: null, password: null });
  expect(system.auth.names()).toEqual(['checkPassword', `setPassword ${user.id}`]);
  expect(system.auth.calls[1]?.body).toEqual({
    mode: 'provision',
    password: 'correct horse',
    context: [body.email, 'Zoë', body.last_name, `Zoë ${body.last_name}`],
    email: body.email,
    name: `Zoë ${body.last_name}`,
  });
  const mine = () => system.queue.payloads(userCreated).filter(({ userId }) => userId === user.id);
  await eventually('the event', () => mine().length > 0);
  expect(mine()).toEqual([
    {
      userId: user.id,
      email: body.email,
      name: `Zoë ${body.last_name}`,
      hasPassword: true,
      languages: 'de',
    },
  ]);
  expect(system.queue.messages.at(-1)?.correlationId).toBe('request-0');
});

test('a user without a password: auth is told by the event that it must invite', async () => {
  const { user } = await create(someone());
  expect(system.auth.calls).toEqual([]);
  const created = await eventually('the event', () =>
    system.queue.payloads(userCreated).find(({ userId }) => userId === user.id),
  );
  expect(created.hasPassword).toBe(false);
});

test('ids rise', async () => {
  const one = await makeUser(system);
  const other = await makeUser(system);
  expect(other.id).toBeGreaterThan(one.id);
});

test('S18 an address in use is 409, in whatever case', async () => {
  const { email } = await makeUser(system);
  expect(await refusal(create(someone({ email: email.toUpperCase() })))).toMatchObject({
    code: 'email-taken',
    status: 409,
  });
});

test('a deleted user’s email is free again', async () => {
  const old = await makeUser(system);
  await system.users.deleteUser({ params: { id: String(old.id) } }, system.admin());
  const { user } = await create(someone({ email: old.email }));
  expect(user.id).not.toBe(old.id);
});

test('S68 a member may not create, and only says so before anything is looked at', async () => {
  const { email } = await makeUser(system);
  const { email: free, ...rest } = someone();
  const refusals = await Promise.all(
    [email, free].map((each) => refusal(create({ ...rest, email: each }, system.as(5)))),
  );
  expect(refusals[0]).toMatchObject({ code: 'forbidden', status: 403 });
  expect(refusals[1]).toEqual(refusals[0]);
  expect(await refusal(create(someone(), system.nobody()))).toMatchObject({ code: 'session-required' });
});

test('S69 a body with a field of the record is refused', async () => {
  for (const field of ['_id', 'id', 'state', 'emailKey', 'payment_customer_id', 'deletedAt', 'claim']) {
    expect(await refusal(create(someone({ [field]: 'x' })))).toMatchObject({ code: 'validation-failed' });
  }
});

test('a refused password leaves nothing behind', async () => {
  const body = someone({ password: 'weak' });
  expect(await refusal(create(body))).toMatchObject({
    code: 'validation-failed',
    errors: [{ path: 'body.password', message: 'is too common' }],
  });
  expect(await records(body.email)).toEqual([]);
});

test('when auth refuses the password after all, the record goes and the email is free', async () => {
  const body = someone({ password: 'correct horse' });
  system.auth.fail('setPassword', new Problem('overloaded'));
  expect(await refusal(create(body))).toMatchObject({ code: 'overloaded' });
  expect(await records(body.email)).toEqual([]);
  expect(system.auth.names()).not.toContainEqual(expect.stringContaining('disableCredentials'));
  system.auth.heal();
  await create(body);
});

test('O12 when nobody knows whether auth took the password, its credentials go before the record', async () => {
  const body = someone({ password: 'correct horse' });
  system.auth.after = ({ method }) => {
    if (method === 'setPassword') throw new Problem('service-unavailable');
  };
  expect(await refusal(create(body))).toMatchObject({ code: 'service-unavailable' });
  const lost = system.auth.calls.at(-1);
  expect(lost?.method).toBe('disableCredentials');
  expect(system.auth.passwords.has(lost?.userId as number)).toBe(false);
  expect(await records(body.email)).toEqual([]);
});

test('when auth is away altogether, the next try succeeds as soon as it is back', async () => {
  const body = someone({ password: 'correct horse' });
  system.auth.fail('setPassword');
  system.auth.fail('disableCredentials');
  expect(await refusal(create(body))).toMatchObject({ code: 'service-unavailable' });
  system.auth.heal();
  const { user } = await create(body);
  expect(system.auth.passwords.get(user.id)).toBe('correct horse');
  expect(await records(body.email)).toMatchObject([{ _id: user.id, state: 'active' }]);
});

test('50 parallel creations of one email make one user; the others are refused', async () => {
  const body = someone({ password: 'correct horse' });
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => create(body)));
  const made = results.filter((result) => result.status === 'fulfilled');
  expect(made).toHaveLength(1);
  const codes = new Set(results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : [])));
  for (const code of codes) expect(['email-taken', 'creation-in-progress']).toContain(code);
  expect(await records(body.email)).toHaveLength(1);
});

test('50 parallel creations of different emails all succeed, each with an id of its own', async () => {
  const users = await Promise.all(Array.from({ length: 50 }, () => makeUser(system)));
  expect(new Set(users.map(({ id }) => id)).size).toBe(50);
});
