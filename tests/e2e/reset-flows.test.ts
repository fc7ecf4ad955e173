// Both flows of the contract that use the reset operation, from the request through the mail to the login.
import { resetLinkOf } from '../support/mailbox.js';
import { type System, startSystem } from '../support/system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const password = 'correct horse battery';
const newPassword = 'a fresh staple 42';

test('forgot password: request, mail, change, login', async () => {
  const { email, id } = await system.givenUser({ password });
  const asked = await system.client().post('/reset-password', { email });
  expect(asked.status).toBe(200);
  expect(asked.body).toEqual({ message: expect.stringContaining('***') });
  expect(asked.body.message).not.toContain(email);
  expect(asked.setCookies).toEqual([]);

  // The password has been replaced by a temporary value: the old one no longer logs in.
  expect((await system.client().post('/login', { email, password })).status).toBe(401);

  const mail = await system.mailbox.waitFor(email, /password/i);
  const link = resetLinkOf(mail);
  expect(link.user_id).toBe(id);
  expect(link.reset_token).toMatch(/^[0-9a-f]{64}$/);
  expect(mail.text).toContain(`${system.publicUrl}/change-password?reset_token=`);

  const changed = await system.client().post('/change-password', { ...link, password: newPassword });
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({ message: expect.stringMatching(/password has been updated/i) });
  expect(changed.setCookies).toEqual([]);

  expect((await system.client().post('/login', { email, password })).status).toBe(401);
  expect((await system.client().post('/login', { email, password: newPassword })).status).toBe(200);
});

test('logged-in reset: the session survives the request and ends at the change (S45, S59, S60)', async () => {
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  const other = await system.loggedIn(user);
  expect((await client.post('/reset-password', { email: user.email })).status).toBe(200);
  expect((await client.get(`/user/${user.id}`)).status).toBe(200);

  const link = resetLinkOf(await system.mailbox.waitFor(user.email, /reset/i));
  expect((await client.post('/change-password', { ...link, password: newPassword })).status).toBe(200);
  expect((await client.get(`/user/${user.id}`)).status).toBe(401);
  expect((await other.get(`/user/${user.id}`)).status).toBe(401);

  const notice = await system.mailbox.waitFor(user.email, /changed/i);
  expect(notice.text).not.toMatch(/reset_token|confirm_token/);
  expect(notice.text.match(/[0-9a-f]{64}/g)).toHaveLength(1);
});

test('S16 an unknown address gets the same answer, and no mail is sent', async () => {
  const { email } = await system.givenUser({ password, email: 'jane@example.com' });
  const known = await system.client().post('/reset-password', { email });
  const unknown = await system.client().post('/reset-password', { email: 'jens@example.org' });
  expect(known.body.message).toContain('j***@e******.com');
  expect(unknown.body.message).toContain('j***@e******.org');
  expect(unknown.status).toBe(known.status);
  expect(unknown.body.message.replace('.org', '.com')).toBe(known.body.message);
  await system.mailbox.waitFor(email, /reset/i);
  expect(await system.mailbox.to('jens@example.org')).toEqual([]);
});

test('S49 S52 S53 a token works once, a refused password does not spend it, and every dead token gets one answer', async () => {
  const user = await system.givenUser({ password });
  const other = await system.givenUser({ password });
  await system.client().post('/reset-password', { email: user.email });
  const link = resetLinkOf(await system.mailbox.waitFor(user.email, /reset/i));
  const client = system.client();

  const check = await client.post('/reset-token/check', link);
  expect([check.status, check.body]).toEqual([200, { valid: true }]);
  const weak = await client.post('/change-password', { ...link, password: 'short' });
  expect([weak.status, weak.body.code, weak.body.errors[0].path]).toEqual([400, 'validation-failed', 'body.password']);
  const foreign = await client.post('/change-password', { ...link, user_id: other.id, password: newPassword });
  expect((await client.post('/change-password', { ...link, password: newPassword })).status).toBe(200);
  const used = await client.post('/change-password', { ...link, password: 'another one 4711' });
  const unknown = await client.post('/change-password', {
    ...link,
    reset_token: 'ab'.repeat(32),
    password: newPassword,
  });

  for (const answer of [foreign, used, unknown]) {
    expect(answer.status).toBe(400);
    expect({ ...answer.body, request_id: '' }).toEqual({ ...used.body, request_id: '' });
    expect(answer.body.code).toBe('reset-token-invalid');
  }
  expect((await system.client().post('/login', { email: other.email, password })).status).toBe(200);
});

test('S49 of fifty parallel changes with one token exactly one succeeds', async () => {
  const { email } = await system.givenUser({ password });
  await system.client().post('/reset-password', { email });
  const link = resetLinkOf(await system.mailbox.waitFor(email, /reset/i));
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      system.client().post('/change-password', { ...link, password: `attempt number ${n}` }),
    ),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  const winner = answers.findIndex((answer) => answer.status === 200);
  expect((await system.client().post('/login', { email, password: `attempt number ${winner}` })).status).toBe(200);
});

test('"this was not me" restores the password at once', async () => {
  const { email, id } = await system.givenUser({ password });
  await system.client().post('/reset-password', { email });
  const mail = await system.mailbox.waitFor(email, /reset/i);
  const disown = /not-me\?disown_token=([0-9a-f]+)&user_id=(\d+)/.exec(mail.text);
  const answer = await system.client().post('/reset-token/disown', { disown_token: disown?.[1], user_id: id });
  expect(answer.status).toBe(200);
  expect((await system.client().post('/login', { email, password })).status).toBe(200);
  expect((await system.client().post('/change-password', { ...resetLinkOf(mail), password: newPassword })).status).toBe(
    400,
  );
});

test('an invited user sets the first password through the same link', async () => {
  const admin = await system.admin();
  const email = 'invited@example.com';
  const created = await admin.post('/user', { email, first_name: 'In', last_name: 'Vited' });
  expect(created.status).toBe(201);
  const link = resetLinkOf(await system.mailbox.waitFor(email, /welcome/i));
  expect(link.user_id).toBe(created.body.user.id);
  expect((await system.client().post('/change-password', { ...link, password: newPassword })).status).toBe(200);
  expect((await system.client().post('/login', { email, password: newPassword })).status).toBe(200);
});
