import { passwordChanged, passwordResetRequested, type User } from '@latchkey/contracts';
import { eventually, refusal } from '@latchkey/tests';
import { type RunningAuth, startAuth } from '../testing/start-auth.js';

let system: RunningAuth;
beforeEach(async () => {
  system = await startAuth();
});
afterEach(() => system.stop());

type Context = ReturnType<RunningAuth['context']>;
const inPath = (user: { id: number }) => ({ params: { user_id: String(user.id) } });
const stored = (user: { id: number }) => system.models.credentials.findOne({ _id: user.id }).lean();

function set(
  user: User,
  body: { mode?: 'provision' | 'change'; password?: string; current_password?: string; context?: string[] },
  context: Context,
) {
  const full = {
    mode: 'change' as const,
    password: 'a fresh staple 42',
    context: [],
    email: user.email,
    name: 'Grace Hopper',
    ...body,
  };
  return system.auth.setPassword({ ...inPath(user), body: full }, context);
}

describe('provision', () => {
  const first = { mode: 'provision', password: 'correct horse' } as const;

  test('the first password is provisional until the user is active; again it is no change, another one is refused', async () => {
    const user = system.users.add();
    await set(user, first, system.admin());
    const before = await stored(user);
    expect(before).toMatchObject({ state: 'provisional' });
    await set(user, first, system.admin());
    expect(await stored(user)).toEqual(before);
    expect(await refusal(set(user, { ...first, password: 'another horse' }, system.admin()))).toMatchObject({
      code: 'not-found',
    });
  });

  test('the same request ten times at once sets it once', async () => {
    const user = system.users.add();
    await Promise.all(Array.from({ length: 10 }, () => set(user, first, system.admin())));
    await system.logIn(user, 'correct horse');
  });

  test('one whose user never came to be is erased after an hour, one whose user is there is confirmed', async () => {
    const active = await system.givenUser();
    const abandoned = await system.givenUser();
    system.users.byId.delete(abandoned.id);
    system.clock.advance(3599);
    await system.sweep();
    expect(await stored(abandoned)).toMatchObject({ state: 'provisional' });
    system.clock.advance(1);
    await system.sweep();
    expect(await stored(abandoned)).toMatchObject({ state: 'disabled', password: null });
    expect(await stored(active)).toMatchObject({ state: 'active', provisionalSince: null, dueAt: null });
  });

  test('S01 S06 S07 the policy is asked first and says why', async () => {
    const user = system.users.add();
    for (const password of ['short', 'password12345678', `${user.email}1234567`]) {
      const body = { ...first, password, context: [user.email] };
      expect(await refusal(set(user, body, system.admin()))).toMatchObject({
        code: 'validation-failed',
        errors: [{ path: 'body.password', message: expect.any(String) }],
      });
    }
    expect(await stored(user)).toBeNull();
    const body = { password: 'gracefully yours', context: ['Grace'] };
    expect(await refusal(system.auth.checkPassword({ body }, system.admin()))).toMatchObject({
      code: 'validation-failed',
    });
  });
});

describe('change', () => {
  test('S13 of five changes at once with one current password one is made: the others’ is none any more', async () => {
    const user = await system.givenUser();
    const changes = await Promise.allSettled(
      Array.from({ length: 5 }, (_, n) =>
        set(user, { password: `brand new horse ${n}`, current_password: 'correct horse' }, system.as(user.id)),
      ),
    );
    const winners = changes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    expect(winners).toHaveLength(1);
    for (const change of changes) {
      if (change.status === 'rejected') expect(change.reason).toMatchObject({ code: 'credentials-rejected' });
    }
    await system.logIn(user, `brand new horse ${winners[0]}`);
  });

  test('S13 a user needs its current password, whatever it claims to be', async () => {
    const user = await system.givenUser('correct horse', { role: 'admin' });
    const attempts: [object, Context][] = [
      [{}, system.as(user.id)],
      [{}, system.as(user.id, 'admin')],
      [{}, system.as(user.id + 1, 'member')],
      [{}, system.context()],
      [{ current_password: 'wrong horse' }, system.as(user.id)],
    ];
    for (const [body, context] of attempts) {
      expect(await refusal(set(user, body, context))).toMatchObject({ code: 'credentials-rejected' });
    }
    await system.logIn(user, 'correct horse');
  });

  test('S45 by the user: its other sessions end, its own stays, and only until the next end of all', async () => {
    const user = await system.givenUser();
    const { session: own } = await system.logIn(user, 'correct horse');
    const { session: other } = await system.logIn(user, 'correct horse');
    await set(user, { current_password: 'correct horse' }, system.as(user.id, 'member', own.id));
    const active = async (id: string) =>
      (await system.auth.introspectSession({ body: { session_id: id, user_id: user.id } }, system.context())).active;
    expect([await active(own.id), await active(other.id)]).toEqual([true, false]);
    await set(
      user,
      { current_password: 'a fresh staple 42', password: 'yet another 43' },
      system.as(user.id, 'member', own.id),
    );
    expect(await active(own.id)).toBe(true);
    await system.auth.endAllSessions(inPath(user), system.admin());
    expect(await active(own.id)).toBe(false);
    await system.logIn(user, 'yet another 43');
  });

  test('by an admin: no current password, every session ends, the user is told', async () => {
    const user = await system.givenUser();
    const { session } = await system.logIn(user, 'correct horse');
    await set(user, {}, system.as(99, 'admin', 'a'.repeat(32)));
    expect(
      await system.auth.introspectSession({ body: { session_id: session.id, user_id: user.id } }, system.context()),
    ).toEqual({ active: false });
    await system.logIn(user, 'a fresh staple 42');
    const [notice] = await eventually('a notice', () => {
      const notices = system.queue.payloads(passwordChanged);
      return notices.length > 0 && notices;
    });
    expect(notice).toMatchObject({ to: user.email, changedFrom: null });
  });

  test('while a reset is pending the current password is of no use: reset-pending; an admin ends the reset', async () => {
    const user = await system.givenUser();
    await system.reset(user);
    const body = { current_password: 'correct horse' };
    expect(await refusal(set(user, body, system.as(user.id)))).toMatchObject({ code: 'reset-pending', status: 409 });
    const verify = { password: 'correct horse', email: user.email };
    expect(
      await refusal(system.auth.verifyPassword({ ...inPath(user), body: verify }, system.as(user.id))),
    ).toMatchObject({
      code: 'reset-pending',
    });
    await set(user, {}, system.admin());
    expect(await stored(user)).toMatchObject({ temporary: null, prior: null, tokens: [] });
    system.clock.advance(3600);
    await system.logIn(user, 'a fresh staple 42');
  });

  test('wrong current passwords count like failed logins', async () => {
    const user = await system.givenUser();
    const verify = (password: string) =>
      system.auth.verifyPassword({ ...inPath(user), body: { password, email: user.email } }, system.as(user.id));
    expect(await verify('correct horse')).toEqual({});
    for (let n = 0; n < 3; n++) await refusal(verify('wrong horse'));
    for (let n = 0; n < 2; n++) await refusal(system.logIn(user, 'wrong horse'));
    expect(await refusal(verify('correct horse'))).toMatchObject({ code: 'rate-limited' });
    expect(await refusal(system.logIn(user, 'correct horse'))).toMatchObject({ code: 'rate-limited' });
  });

  test('an admin gives an invited user its first password, but nobody who is not there', async () => {
    const invited = await system.givenUser(null);
    await set(invited, {}, system.admin());
    await system.logIn(invited, 'a fresh staple 42');
    expect(await refusal(set({ ...invited, id: 4711 }, {}, system.admin()))).toMatchObject({ code: 'not-found' });
  });
});

test('a change of email drops the prior password and every link', async () => {
  const user = await system.givenUser();
  await system.reset(user);
  await eventually('the mail', () => system.queue.payloads(passwordResetRequested)[0]);
  await system.auth.dropResets(inPath(user), system.admin());
  expect(await stored(user)).toMatchObject({ password: null, temporary: null, prior: null, tokens: [] });
  system.clock.advance(3600);
  expect(await refusal(system.logIn(user, 'correct horse'))).toMatchObject({ code: 'credentials-rejected' });
});
