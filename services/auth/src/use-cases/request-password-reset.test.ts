import { invitationRequested, passwordResetRequested } from '@latchkey/contracts';
import { eventually, refusal } from '@latchkey/tests';
import { type RunningAuth, startAuth } from '../testing/start-auth.js';

let system: RunningAuth;
beforeEach(async () => {
  system = await startAuth();
});
afterEach(() => system.stop());

const mails = () => system.queue.payloads(passwordResetRequested);
const mailed = (count: number) => eventually(`${count} mails`, () => mails().length >= count && mails());
const stored = (user: { id: number }) => system.models.credentials.findOne({ _id: user.id }).lean();
const token = (mail?: { sealedToken: string }) => system.sealer.unseal(mail?.sealedToken ?? '', 'reset-token');
const change = (user: { id: number }, reset_token: string, password = 'a fresh staple 42') =>
  system.auth.changePassword({ body: { user_id: user.id, reset_token, password } }, system.context());
const logsIn = (user: { email: string }, password = 'correct horse') =>
  system.logIn(user, password).then(
    () => true,
    () => false,
  );

test('S62 one request replaces the password, stores a hash of the token and tells of the mail, in one write', async () => {
  const user = await system.givenUser();
  const before = await stored(user);
  const now = system.clock.now();
  expect(await system.reset(user, '203.0.113.5')).toEqual({
    message: `Your request was received: a reset link was sent to p******@e******.org.`,
  });
  const [mail] = await mailed(1);
  expect(mail).toMatchObject({
    userId: user.id,
    to: user.email,
    name: 'Grace Hopper',
    languages: 'en',
    requestedFrom: '203.0.113.5',
    requestedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 1_800_000).toISOString(),
  });
  const [message] = system.queue.messages;
  expect(message).toMatchObject({ notAfter: mail?.expiresAt, correlationId: 'test', aggregateId: String(user.id) });
  const after = await stored(user);
  // The marker, the token and the event carry the version of one change.
  expect(message?.sequence).toBe((before?.version ?? 0) + 1);
  expect(after).toMatchObject({ password: null, temporary: { until: new Date(now + 1_800_000) } });
  expect(after?.tokens).toMatchObject([{ hash: mail?.tokenHash, kind: 'reset' }]);
  expect(await logsIn(user)).toBe(false);
});

test('S46 S47 S48 S58 the token is 64 hex digits, and neither it nor a usable hash is stored or logged', async () => {
  const user = await system.givenUser();
  const { hash } = (await stored(user))?.password ?? {};
  await system.reset(user);
  const secret = token((await mailed(1))[0]);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  const dump = await eventually('an empty outbox', async () => {
    const document = await stored(user);
    return document?.outbox.length === 0 && JSON.stringify(document);
  });
  for (const text of [dump, system.log(), JSON.stringify(system.queue.messages)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hash);
  }
});

test('S16 S17 an unknown address gets the same answer and costs a write, over and over', async () => {
  // The address that the user made below will have, so that even the masked text must be the same.
  const stranger = { email: 'person1@example.org' };
  const unknown = await system.reset(stranger);
  expect(await system.reset(stranger)).toEqual(unknown);
  expect(await system.models.decoys.find({}).sort({ _id: 1 }).lean()).toMatchObject([
    { version: 1, askedAt: new Date(system.clock.now()) },
  ]);
  const user = await system.givenUser();
  expect(user.email).toBe(stranger.email);
  const answers = [await system.reset(user)];
  system.clock.advance(1);
  answers.push(await system.reset(user));
  expect(answers).toEqual([unknown, unknown]);
  // The second mails nothing and is written down all the same.
  expect(await stored(user)).toMatchObject({
    askedAt: new Date(system.clock.now()),
    linksMailedAt: [new Date(system.clock.now() - 1000)],
  });
});

test('S17 thirty an hour from one address, known or not', async () => {
  for (let n = 0; n < 30; n++) await system.reset({ email: `nobody${n}@example.org` });
  const limited = { code: 'rate-limited', limit: 'resets-per-address', retryAfter: 3600 };
  const user = await system.givenUser();
  expect(await refusal(system.reset(user))).toMatchObject(limited);
  expect(await refusal(system.reset({ email: 'nobody@example.org' }))).toMatchObject(limited);
  expect(await logsIn(user)).toBe(true);
  await system.reset(user, '203.0.113.77');
});

test('an unused reset runs out and the password comes back, and a later link of it does not prolong the lockout', async () => {
  const user = await system.givenUser();
  await system.reset(user);
  await mailed(1);
  system.clock.advance(1799);
  await system.reset(user);
  expect(await logsIn(user)).toBe(false);
  system.clock.advance(1);
  expect(await logsIn(user)).toBe(true);
  // The second link still works: it was mailed for half an hour.
  await change(user, token((await mailed(2))[1]));
});

test('the sweep restores what ran out and removes dead links, without a login', async () => {
  const user = await system.givenUser();
  const before = await stored(user);
  await system.reset(user);
  system.clock.advance(1800);
  await system.sweep();
  const after = await stored(user);
  expect(after).toMatchObject({ password: before?.password, temporary: null, prior: null, tokens: [], dueAt: null });
});

test('only the first unused request in 24 h replaces the password', async () => {
  const user = await system.givenUser();
  await system.reset(user);
  await mailed(1);
  system.clock.advance(1800);
  await system.reset(user);
  await mailed(2);
  expect(await logsIn(user)).toBe(true);
  system.clock.advance(86_400 - 1800);
  await system.reset(user);
  expect(await logsIn(user)).toBe(false);
});

test('a used one makes the next the first again, at once', async () => {
  const user = await system.givenUser();
  await system.reset(user);
  await change(user, token((await mailed(1))[0]));
  await system.reset(user);
  await mailed(2);
  expect(await logsIn(user, 'a fresh staple 42')).toBe(false);
});

test('one link a minute and three alive; earlier links keep working', async () => {
  const user = await system.givenUser();
  for (let n = 0; n < 8; n++) {
    await system.reset(user);
    system.clock.advance(30);
  }
  const links = await mailed(3);
  await eventually('a quiet outbox', async () => (await stored(user))?.outbox.length === 0);
  expect(mails()).toHaveLength(3);
  await change(user, token(links[0]));
});

test('"this was not me" restores the password at once, ends every link, and another request does not replace it', async () => {
  const user = await system.givenUser();
  await system.reset(user);
  system.clock.advance(60);
  await system.reset(user);
  const [first, second] = await mailed(2);
  const disown_token = system.sealer.unseal(first?.sealedDisownToken as string, 'disown-token');
  const body = { disown_token, user_id: user.id };
  await system.auth.disownReset({ body }, system.context());
  expect(await logsIn(user)).toBe(true);
  expect(await refusal(change(user, token(second)))).toMatchObject({ code: 'reset-token-invalid' });
  expect(await refusal(system.auth.disownReset({ body }, system.context()))).toMatchObject({ code: 'link-invalid' });
  system.clock.advance(3600);
  await system.reset(user);
  expect(await logsIn(user)).toBe(true);
  expect((await mailed(3))[2]?.sealedDisownToken).toBeNull();
});

test('RESET_MODE=deferred leaves the password alone until the change', async () => {
  await system.stop();
  system = await startAuth({ config: { resetMode: 'deferred' } });
  const user = await system.givenUser();
  await system.reset(user);
  expect(await logsIn(user)).toBe(true);
  const [mail] = await mailed(1);
  expect(mail?.sealedDisownToken).toBeNull();
  await change(user, token(mail));
  expect(await logsIn(user)).toBe(false);
});

test('an invited user may ask for a link, a deleted or disabled one gets none, and nobody can tell', async () => {
  const invited = await system.givenUser(null, { email: 'patty01@example.org' });
  const disabled = await system.givenUser('correct horse', { email: 'patty02@example.org' });
  await system.auth.disableCredentials({ params: { user_id: String(disabled.id) } }, system.admin());
  expect(await system.reset(disabled)).toEqual(await system.reset(invited));
  const [mail] = await mailed(1);
  expect(mail).toMatchObject({ userId: invited.id, sealedDisownToken: null });
  await change(invited, token(mail));
  expect(await logsIn(invited, 'a fresh staple 42')).toBe(true);
  expect(system.queue.payloads(invitationRequested)).toEqual([]);
});

test('50 requests at once replace once and mail once', async () => {
  await system.stop();
  system = await startAuth({ config: { rateLimitScale: 2 } });
  const user = await system.givenUser();
  await Promise.all(Array.from({ length: 50 }, () => system.reset(user)));
  await eventually('a quiet outbox', async () => (await stored(user))?.outbox.length === 0);
  expect(mails()).toHaveLength(1);
});
