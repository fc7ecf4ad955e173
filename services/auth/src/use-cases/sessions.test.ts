import { bindings } from '@latchkey/contracts';
import { type RunningAuth, startAuth } from '../testing/start-auth.js';

let system: RunningAuth;
beforeAll(async () => {
  system = await startAuth({ config: { rateLimitScale: 1000 } });
});
afterAll(() => system.stop());

const introspect = (userId: number, sessionId: string) =>
  system.auth.introspectSession({ body: { user_id: userId, session_id: sessionId } }, system.context());
const isActive = async (userId: number, sessionId: string) => (await introspect(userId, sessionId)).active;
const inPath = (user: { id: number }) => ({ params: { user_id: String(user.id) } });

async function loggedIn(role: 'admin' | 'member' = 'member') {
  const user = await system.givenUser('correct horse', { role });
  const { session } = await system.logIn(user, 'correct horse');
  return { user, session };
}

test('a session stands, with the role it began with, for its own user only', async () => {
  const { user, session } = await loggedIn('admin');
  expect(await introspect(user.id, session.id)).toEqual({ active: true, role: 'admin', session });
  const { user: other } = await loggedIn();
  expect(await introspect(other.id, session.id)).toEqual({ active: false });
  expect(await introspect(user.id, 'f'.repeat(32))).toEqual({ active: false });
});

test('S38 an ended session is ended, and ending it again says that there was none', async () => {
  const { user, session } = await loggedIn();
  const body = { user_id: user.id, session_id: session.id };
  const stranger = { ...body, user_id: user.id + 1 };
  expect(await system.auth.endSession({ body: stranger }, system.context())).toEqual({ ended: false });
  expect(await system.auth.endSession({ body }, system.context())).toEqual({ ended: true });
  expect(await isActive(user.id, session.id)).toBe(false);
  expect(await system.auth.endSession({ body }, system.context())).toEqual({ ended: false });
});

test('S42 a session used every minute ends after 12 hours', async () => {
  const { user, session } = await loggedIn();
  for (let minutes = 60; minutes < 720; minutes += 60) {
    system.clock.advance(3600);
    expect(await isActive(user.id, session.id)).toBe(true);
  }
  system.clock.advance(3600);
  expect(await isActive(user.id, session.id)).toBe(false);
});

test('S42 an unused session ends after two hours', async () => {
  const { user, session } = await loggedIn();
  system.clock.advance(7199);
  expect(await isActive(user.id, session.id)).toBe(true);
  system.clock.advance(7200);
  expect(await isActive(user.id, session.id)).toBe(false);
});

test('its use is written down at most once a minute', async () => {
  const { user, session } = await loggedIn();
  const seen = async () => (await system.models.sessions.findOne({ _id: session.id }).lean())?.lastSeen.getTime();
  const start = system.clock.now();
  system.clock.advance(59);
  await introspect(user.id, session.id);
  expect(await seen()).toBe(start);
  system.clock.advance(1);
  expect(await introspect(user.id, session.id)).toMatchObject({
    session: { last_seen_at: new Date(start + 60_000).toISOString() },
  });
  expect(await seen()).toBe(start + 60_000);
});

test('the list shows what stands, newest first, and which one asks', async () => {
  const { user, session } = await loggedIn();
  system.clock.advance(10);
  const { session: newer } = await system.logIn(user, 'correct horse');
  const { sessions } = await system.auth.listSessions(inPath(user), system.as(user.id, 'member', session.id));
  expect(sessions.map(({ id, current }) => [id, current])).toEqual([
    [newer.id, false],
    [session.id, true],
  ]);
});

test('every session ends at once, and a login that began before does not bring one back', async () => {
  const { user, session } = await loggedIn();
  const lookup = jest.spyOn(system.users.client, 'findUserById').mockImplementationOnce(async () => {
    await system.auth.endAllSessions(inPath(user), system.admin());
    return { user };
  });
  const raced = await system.logIn(user, 'correct horse');
  lookup.mockRestore();
  expect(await isActive(user.id, session.id)).toBe(false);
  expect(await isActive(user.id, raced.session.id)).toBe(false);
  expect(await isActive(user.id, (await system.logIn(user, 'correct horse')).session.id)).toBe(true);
});

test('S37 disabling ends the sessions and refuses logins, again and again, also before there are credentials', async () => {
  const { user, session } = await loggedIn();
  await system.auth.disableCredentials(inPath(user), system.admin());
  await system.auth.disableCredentials(inPath(user), system.admin());
  expect(await isActive(user.id, session.id)).toBe(false);
  await expect(system.logIn(user, 'correct horse')).rejects.toMatchObject({ code: 'credentials-rejected' });

  const pending = system.users.add();
  await system.auth.disableCredentials(inPath(pending), system.admin());
  const body = {
    mode: 'provision' as const,
    password: 'correct horse',
    context: [],
    email: pending.email,
    name: 'A B',
  };
  await expect(system.auth.setPassword({ ...inPath(pending), body }, system.admin())).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('a changed role ends the sessions that carry the old one and leaves those begun since', async () => {
  const { user, session: old } = await loggedIn();
  system.users.change(user.id, { role: 'admin' });
  const { session: current } = await system.logIn(user, 'correct horse');
  const outcome = await system.queue.deliver(bindings.endSessionsOfChangedRole, { userId: user.id, role: 'admin' });
  expect(outcome.kind).toBe('done');
  expect(await isActive(user.id, old.id)).toBe(false);
  expect(await isActive(user.id, current.id)).toBe(true);
});
