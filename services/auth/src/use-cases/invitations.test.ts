import { bindings, invitationRequested, passwordResetRequested, type User } from '@latchkey/contracts';
import { eventually, refusal } from '@latchkey/tests';
import { type RunningAuth, startAuth } from '../testing/start-auth.js';

let system: RunningAuth;
beforeEach(async () => {
  system = await startAuth();
});
afterEach(() => system.stop());

const inPath = (user: { id: number }) => ({ params: { user_id: String(user.id) } });
const stored = (user: { id: number }) => system.models.credentials.findOne({ _id: user.id }).lean();
const invitations = () => system.queue.payloads(invitationRequested);
const quiet = (user: { id: number }) =>
  eventually('a quiet outbox', async () => (await stored(user))?.outbox.length === 0);

const created = (user: User, hasPassword: boolean) => ({
  userId: user.id,
  email: user.email,
  name: 'Grace Hopper',
  hasPassword,
  languages: 'de',
});

test('a user made without a password is invited once, and sets the first password through the link within 7 days', async () => {
  const user = system.users.add();
  for (const id of ['event-a', 'event-a']) {
    expect(await system.queue.deliver(bindings.inviteCreatedUser, created(user, false), { id })).toEqual({
      kind: 'done',
    });
  }
  await quiet(user);
  expect(invitations()).toMatchObject([{ userId: user.id, to: user.email, languages: 'de' }]);
  const reset_token = system.sealer.unseal(invitations()[0]?.sealedToken as string, 'invitation-token');
  system.clock.advance(604_799);
  const body = { user_id: user.id, reset_token, password: 'a fresh staple 42' };
  await system.auth.changePassword({ body }, system.context());
  await system.logIn(user, 'a fresh staple 42');
});

test('a user made with a password is not invited, and is provisional no longer', async () => {
  const user = await system.givenUser();
  await system.queue.deliver(bindings.inviteCreatedUser, created(user, true));
  expect(await stored(user)).toMatchObject({ state: 'active', provisionalSince: null });
  expect(invitations()).toEqual([]);
});

test('an admin invites again, once a minute, until a password is set', async () => {
  const user = await system.givenUser(null);
  const invite = () => system.auth.inviteUser(inPath(user), system.admin());
  await invite();
  expect(await refusal(invite())).toMatchObject({
    code: 'rate-limited',
    limit: 'invitations-per-user',
    retryAfter: 60,
  });
  system.clock.advance(60);
  await invite();
  await quiet(user);
  expect(invitations()).toHaveLength(2);

  const withPassword = await system.givenUser();
  expect(await refusal(system.auth.inviteUser(inPath(withPassword), system.admin()))).toMatchObject({
    code: 'not-replayable',
  });
  await system.reset(withPassword);
  expect(await refusal(system.auth.inviteUser(inPath(withPassword), system.admin()))).toMatchObject({
    code: 'not-replayable',
  });
  expect(await refusal(system.auth.inviteUser(inPath({ id: 4711 }), system.admin()))).toMatchObject({
    code: 'not-found',
  });
});

test('a link that an admin sends does not touch the password', async () => {
  const user = await system.givenUser();
  await system.auth.reissueLink(inPath(user), system.admin());
  await quiet(user);
  const [mail] = system.queue.payloads(passwordResetRequested);
  expect(mail).toMatchObject({ requestedFrom: null, sealedDisownToken: null });
  await system.logIn(user, 'correct horse');
  const reset_token = system.sealer.unseal(mail?.sealedToken as string, 'reset-token');
  const body = { user_id: user.id, reset_token, password: 'a fresh staple 42' };
  await system.auth.changePassword({ body }, system.context());
  expect(await refusal(system.auth.reissueLink(inPath({ id: 4711 }), system.admin()))).toMatchObject({
    code: 'not-found',
  });
});

describe('a mail that will never arrive', () => {
  const abandoned = (userId: number, tokenHash: string | null, template = 'password-reset' as const) => ({
    mailId: 'm',
    template,
    userId,
    tokenHash,
    reason: 'no such mailbox',
  });

  test('brings the prior password back, and its link ends', async () => {
    const user = await system.givenUser();
    await system.reset(user);
    const [token] = (await stored(user))?.tokens ?? [];
    const event = abandoned(user.id, token?.hash as string);
    for (const _ of [1, 2]) expect((await system.queue.deliver(bindings.restorePassword, event)).kind).toBe('done');
    expect(await stored(user)).toMatchObject({ temporary: null, tokens: [] });
    await system.logIn(user, 'correct horse');
  });

  test('changes nothing while another link of the reset lives', async () => {
    const user = await system.givenUser();
    await system.reset(user);
    system.clock.advance(60);
    await system.reset(user);
    const [first] = (await stored(user))?.tokens ?? [];
    await system.queue.deliver(bindings.restorePassword, abandoned(user.id, first?.hash as string));
    const after = await stored(user);
    expect(after?.tokens).toHaveLength(1);
    expect(after?.temporary).not.toBeNull();
  });

  test('means nothing once the link was used', async () => {
    const user = await system.givenUser();
    await system.reset(user);
    const { tokens } = (await stored(user)) ?? {};
    const body = { mode: 'change' as const, password: 'a fresh staple 42', context: [], email: user.email, name: 'G' };
    await system.auth.setPassword({ ...inPath(user), body }, system.admin());
    await system.queue.deliver(bindings.restorePassword, abandoned(user.id, tokens?.[0]?.hash as string));
    await system.logIn(user, 'a fresh staple 42');
  });
});

test('a deleted user is erased, also when its event comes before anything else', async () => {
  const user = await system.givenUser();
  const { session } = await system.logIn(user, 'correct horse');
  for (const id of [user.id, 4711]) {
    await system.queue.deliver(bindings.eraseCredentials, { userId: id, paymentCustomerId: null });
    expect(await stored({ id })).toMatchObject({ state: 'disabled', password: null, prior: null, tokens: [] });
  }
  expect(await system.models.sessions.findOne({ _id: session.id }).lean()).toBeNull();
  expect(await system.queue.deliver(bindings.inviteCreatedUser, created({ ...user, id: 4711 }, false))).toEqual({
    kind: 'done',
  });
  expect(invitations()).toEqual([]);
});

test('a changed email ends the links that went to the old address and keeps those to the new one', async () => {
  const user = await system.givenUser();
  await system.reset(user);
  system.clock.advance(61);
  const occurredAt = new Date(system.clock.now()).toISOString();
  const event = {
    userId: user.id,
    oldEmail: user.email,
    newEmail: 'new@example.org',
    name: 'G',
    paymentCustomerId: null,
    languages: null,
  };
  system.clock.advance(1);
  await system.reset(user);
  await system.queue.deliver(bindings.dropResetsOfChangedEmail, event, { occurredAt });
  const after = await stored(user);
  expect(after?.tokens).toMatchObject([{ requestedAt: new Date(system.clock.now()) }]);
  expect(after).toMatchObject({ temporary: null, prior: null });
});
