// What becomes of sessions, links and passwords when resets, changes of email or role, deletions and invitations meet.
import { eventually } from '../support/eventually.js';
import { type ReceivedMail, resetLinkOf } from '../support/mailbox.js';
import { type System, startSystem } from '../support/system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const password = 'correct horse battery';
const next = 'a fresh staple 42';
let counter = 0;
const newAddress = () => `mover${++counter}@example.org`;

const secretOf = (mail: ReceivedMail, name: 'disown_token' | 'confirm_token') => {
  const found = new RegExp(`${name}=([0-9a-f]+)&user_id=(\\d+)`).exec(mail.text);
  return found ? { [name]: found[1] as string, user_id: Number(found[2]) } : undefined;
};
const logsIn = async (email: string, presented = password) =>
  (await system.client().post('/login', { email, password: presented })).status;
const change = (link: object, presented = next) =>
  system.client().post('/change-password', { ...link, password: presented });
const codeOf = async (answer: Promise<{ body: { code?: string } }>) => (await answer).body.code;

async function resetMail(email: string, on = system) {
  expect((await on.client().post('/reset-password', { email })).status).toBe(200);
  return await on.mailbox.waitFor(email, /reset/i);
}

type Moving = Awaited<ReturnType<typeof movingUser>>;

/** A user who has asked for another email and not confirmed it yet. */
async function movingUser() {
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  const email = newAddress();
  const answer = await client.put(`/user/${user.id}`, { email, current_password: password });
  expect(answer.status).toBe(200);
  const confirmation = secretOf(await system.mailbox.waitFor(email, /confirm/i), 'confirm_token');
  return { user, client, newEmail: email, confirmation };
}

test('a deleted user’s session and links are worth nothing to whoever gets the email next', async () => {
  const email = 'phoenix@example.org';
  const first = await system.givenUser({ password, email });
  const session = await system.loggedIn(first);
  const mail = await resetMail(email);
  const [link, disown] = [resetLinkOf(mail), secretOf(mail, 'disown_token')];
  const admin = await system.admin();
  expect((await admin.delete(`/user/${first.id}`)).status).toBe(200);
  const second = await system.givenUser({ password: next, email: 'PHOENIX@example.org' });
  expect(second.id).not.toBe(first.id);

  expect((await session.get('/session')).status).toBe(401);
  for (const user_id of [first.id, second.id]) {
    expect(await codeOf(change({ ...link, user_id }, 'stolen by the past'))).toBe('reset-token-invalid');
    const answer = system.client().post('/reset-token/disown', { ...disown, user_id });
    expect(await codeOf(answer)).toBe('link-invalid');
  }
  expect([await logsIn(email), await logsIn(email, next)]).toEqual([401, 200]);
});

test('S70 a new email needs the password and a confirmation, the old address is told, and its reset links die', async () => {
  const { user, client, newEmail, confirmation } = await movingUser();
  const path = `/user/${user.id}`;
  expect((await client.put(path, { email: newAddress() })).status).toBe(400);
  expect((await client.put(path, { email: newAddress(), current_password: 'guess' })).status).toBe(401);
  expect((await client.get(path)).body.user.email).toBe(user.email);
  expect(await logsIn(newEmail)).toBe(401);

  const link = resetLinkOf(await resetMail(user.email));
  expect(await codeOf(system.client().post('/confirm-email', { ...confirmation, user_id: 1 }))).toBe('link-invalid');
  expect((await system.client().post('/confirm-email', confirmation)).status).toBe(200);
  expect(await codeOf(system.client().post('/confirm-email', confirmation))).toBe('link-invalid');
  expect((await client.get(path)).body.user.email).toBe(newEmail);
  const notice = await system.mailbox.waitFor(user.email, /email/i);
  expect(notice.text).not.toMatch(/_token=/);
  expect(await codeOf(change(link))).toBe('reset-token-invalid');
  // The reset was under way: its temporary password stays, and the new address is where a new one comes from.
  expect(await logsIn(newEmail)).toBe(401);
  expect((await change(resetLinkOf(await resetMail(newEmail)))).status).toBe(200);
  expect(await logsIn(newEmail, next)).toBe(200);
});

test.each([
  [
    'by a reset link',
    async ({ user }: Moving) => {
      const link = resetLinkOf(await resetMail(user.email));
      return change(link);
    },
  ],
  [
    'by the user itself',
    async ({ user, client }: Moving) => client.put(`/user/${user.id}`, { password: next, current_password: password }),
  ],
  ['by an admin', async ({ user }: Moving) => (await system.admin()).put(`/user/${user.id}`, { password: next })],
])('S70 a new password set %s takes back the change of email that waits', async (_name, setPassword) => {
  const moving = await movingUser();
  const { user, confirmation, newEmail } = moving;
  expect((await setPassword(moving)).status).toBe(200);
  const admin = await system.admin();
  const { mails } = (await admin.get('/mails?limit=200')).body as { mails: { id: string; to: string }[] };
  const { id } = mails.find(({ to }) => to === newEmail) as { id: string };
  // The user service hears of the password a moment later. Only a change that waits can have its link mailed again.
  await eventually('the change to be taken back', async () => {
    const replayed = await admin.post(`/mails/${id}/replay`);
    return /no change of email/i.test(replayed.body.detail ?? '');
  });
  expect(await codeOf(system.client().post('/confirm-email', confirmation))).toBe('link-invalid');
  expect((await admin.get(`/user/${user.id}`)).body.user.email).toBe(user.email);
});

test('while a reset is pending nobody proves itself by the old password, and an admin’s new email ends the reset', async () => {
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  const mail = await resetMail(user.email);
  for (const body of [{ email: newAddress() }, { password: next }])
    expect(await codeOf(client.put(`/user/${user.id}`, { ...body, current_password: password }))).toBe('reset-pending');

  const email = newAddress();
  expect((await (await system.admin()).put(`/user/${user.id}`, { email })).status).toBe(200);
  expect(await codeOf(change(resetLinkOf(mail)))).toBe('reset-token-invalid');
  const disown = secretOf(mail, 'disown_token');
  expect(await codeOf(system.client().post('/reset-token/disown', disown))).toBe('link-invalid');
  expect(await logsIn(email)).toBe(401);
});

test('"this was not me" works once, not after the change, and stops further replacing', async () => {
  const user = await system.givenUser({ password });
  const disown = secretOf(await resetMail(user.email), 'disown_token');
  expect((await system.client().post('/reset-token/disown', disown)).status).toBe(200);
  expect(await codeOf(system.client().post('/reset-token/disown', disown))).toBe('link-invalid');
  await system.client().post('/reset-password', { email: user.email });
  expect(await logsIn(user.email)).toBe(200);

  const other = await system.givenUser({ password });
  const mail = await resetMail(other.email);
  expect((await change(resetLinkOf(mail))).status).toBe(200);
  const late = system.client().post('/reset-token/disown', secretOf(mail, 'disown_token'));
  expect(await codeOf(late)).toBe('link-invalid');
  expect([await logsIn(other.email), await logsIn(other.email, next)]).toEqual([401, 200]);
});

test('"this was not me" of a changed password ends every session, the one that changed it too', async () => {
  const user = await system.givenUser({ password });
  const thief = await system.loggedIn(user);
  const body = { password: next, current_password: password };
  expect((await thief.put(`/user/${user.id}`, body)).status).toBe(200);
  const disown = secretOf(await system.mailbox.waitFor(user.email, /changed/i), 'disown_token');
  expect((await thief.get('/session')).status).toBe(200);
  expect(await codeOf(change({ reset_token: disown?.disown_token, user_id: user.id }))).toBe('reset-token-invalid');

  expect((await system.client().post('/reset-token/disown', disown)).status).toBe(200);
  expect((await thief.get('/session')).status).toBe(401);
  expect(await codeOf(system.client().post('/reset-token/disown', disown))).toBe('link-invalid');
  const link = resetLinkOf(await resetMail(user.email));
  expect(await logsIn(user.email, next)).toBe(401);
  expect((await change(link, 'only mine again 42')).status).toBe(200);
  expect(await logsIn(user.email, 'only mine again 42')).toBe(200);
});

test('the secrets of a mail open nothing but what each is for', async () => {
  const user = await system.givenUser({ password });
  const mail = await resetMail(user.email);
  const { reset_token, user_id } = resetLinkOf(mail);
  const disown_token = secretOf(mail, 'disown_token')?.disown_token;
  expect(await codeOf(change({ reset_token: disown_token, user_id }))).toBe('reset-token-invalid');
  const swapped = { disown_token: reset_token, user_id };
  expect(await codeOf(system.client().post('/reset-token/disown', swapped))).toBe('link-invalid');
  const confirmed = system.client().post('/confirm-email', { confirm_token: reset_token, user_id });
  expect(await codeOf(confirmed)).toBe('link-invalid');
});

test('an invited user who asks for a reset has two links to the first password, and one kills the other', async () => {
  const email = 'guest@example.org';
  const admin = await system.admin();
  await admin.post('/user', { email, first_name: 'A', last_name: 'B' });
  const invitation = resetLinkOf(await system.mailbox.waitFor(email, /welcome/i));
  const mail = await resetMail(email);
  expect(secretOf(mail, 'disown_token')).toBeUndefined();
  expect((await change(resetLinkOf(mail))).status).toBe(200);
  expect(await codeOf(change(invitation))).toBe('reset-token-invalid');
  expect(await codeOf(admin.post(`/user/${invitation.user_id}/invitation`))).toBe('not-replayable');
  expect(await logsIn(email, next)).toBe(200);
});

test('an admin who deletes itself is out at once', async () => {
  const second = await system.givenUser({ password, role: 'admin' });
  const client = await system.loggedIn(second);
  expect((await client.delete(`/user/${second.id}`)).status).toBe(200);
  for (const path of ['/user', '/session', '/mails']) expect((await client.get(path)).status).toBe(401);
  expect(await logsIn(second.email)).toBe(401);
});

test('of logins that race with a demotion none has the old role', async () => {
  const user = await system.givenUser({ password, role: 'admin' });
  const clients = Array.from({ length: 30 }, () => system.client());
  const logins = clients.map((client) => client.post('/login', { email: user.email, password }));
  const demoted = await (await system.admin()).put(`/user/${user.id}`, { role: 'member' });
  expect(demoted.status).toBe(200);
  await Promise.all(logins);
  const seen = await Promise.all(clients.map(async (client) => (await client.get('/user')).status));
  for (const status of seen) expect([401, 403]).toContain(status);
  expect((await (await system.loggedIn(user)).get('/user')).status).toBe(403);
});

test('a change by link and a deletion at once leave nobody who can log in', async () => {
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  const link = resetLinkOf(await resetMail(user.email));
  const [, deleted] = await Promise.all([change(link), (await system.admin()).delete(`/user/${user.id}`)]);
  expect(deleted.status).toBe(200);
  expect((await client.get('/session')).status).toBe(401);
  expect([await logsIn(user.email), await logsIn(user.email, next)]).toEqual([401, 401]);
});

describe('RESET_MODE=deferred', () => {
  let deferred: System;
  beforeAll(async () => {
    deferred = await startSystem({ RESET_MODE: 'deferred' });
  });
  afterAll(() => deferred.stop());

  test('the user may prove itself meanwhile, and any other new password or email kills the link', async () => {
    for (const update of [{ password: next }, { email: newAddress() }]) {
      const user = await deferred.givenUser({ password });
      const client = await deferred.loggedIn(user);
      const mail = await resetMail(user.email, deferred);
      expect(secretOf(mail, 'disown_token')).toBeUndefined();
      const answer = await client.put(`/user/${user.id}`, { ...update, current_password: password });
      expect(answer.status).toBe(200);
      if (update.email !== undefined) {
        const confirmation = secretOf(await deferred.mailbox.waitFor(update.email, /confirm/i), 'confirm_token');
        expect((await deferred.client().post('/confirm-email', confirmation)).status).toBe(200);
      }
      expect(await codeOf(deferred.client().post('/reset-token/check', resetLinkOf(mail)))).toBe('reset-token-invalid');
    }
  });
});
