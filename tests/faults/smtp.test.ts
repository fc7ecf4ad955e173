// The whole system against SMTP servers that answer 4xx, 5xx, slowly or not at all: F18–F21.
import { eventually } from '../support/eventually.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { createUser, logInAsAdmin, resetPassword } from './clients.js';
import { Ledger, type LedgerUser } from './ledger.js';

jest.setTimeout(120_000);

let sink: SmtpSink;
let system: StandaloneProcess;
beforeEach(async () => {
  sink = new SmtpSink();
  await sink.start();
  system = await StandaloneProcess.create({ SMTP_URL: sink.url });
  await system.start();
});
afterEach(async () => {
  await system.dispose();
  await sink.stop();
});

async function givenUsers(count: number): Promise<LedgerUser[]> {
  const admin = await eventually('admin session', () => logInAsAdmin(system));
  const ledger = new Ledger();
  const users: LedgerUser[] = [];
  for (let n = 0; n < count; n += 1) users.push(await createUser(ledger, admin));
  return users;
}

async function canLogIn(user: LedgerUser): Promise<boolean> {
  const { status } = await system.client().post('/login', { email: user.email, password: user.candidates[0] });
  return status === 200;
}

test('F20 a recipient refused for good gets the old password back at once, and holds nobody up', async () => {
  const users = await givenUsers(20);
  const refused = users.filter((_, index) => index % 10 === 0);
  sink.script = (to) => (refused.some((user) => user.email === to) ? { code: 550, at: 'rcpt' } : 'accept');
  const ledger = new Ledger();
  for (const user of users) await resetPassword(ledger, system.client(), user);

  for (const user of users) {
    if (refused.includes(user)) await eventually(`${user.email} restored`, () => canLogIn(user), 20_000);
    else await eventually(`mail to ${user.email}`, () => sink.to(user.email).length === 1, 20_000);
  }
  for (const user of refused) expect(sink.offered.get(user.email)).toBe(1);
});

test('F19 a recipient refused for now is tried again with one Message-ID until it is accepted', async () => {
  const [user] = (await givenUsers(1)) as [LedgerUser];
  sink.script = (to) => ((sink.offered.get(to) ?? 0) <= 2 ? { code: 451, at: 'data' } : 'accept');
  await resetPassword(new Ledger(), system.client(), user);
  await eventually('mail after two refusals', () => sink.to(user.email).length === 1, 30_000);

  const admin = await eventually('admin session', () => logInAsAdmin(system));
  const { body } = await admin.get('/mails');
  const mail = body.mails.find((one: { to: string }) => one.to === user.email);
  await eventually('recorded as sent', async () => (await admin.get(`/mails/${mail.id}`)).body.mail.state === 'sent');
  const { attempts, message_id } = (await admin.get(`/mails/${mail.id}`)).body.mail;
  expect(attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'temporary-failure',
    'temporary-failure',
    'accepted',
  ]);
  expect(attempts[0].code).toBe('451');
  expect(sink.to(user.email)[0]?.messageId).toBe(message_id);
});

test('F18 a server that goes silent for one recipient holds up nobody else', async () => {
  const users = await givenUsers(12);
  const silent = users[0] as LedgerUser;
  sink.script = (to) => (to === silent.email ? 'silence' : 'accept');
  const ledger = new Ledger();
  for (const user of users) await resetPassword(ledger, system.client(), user);
  for (const user of users.slice(1))
    await eventually(`mail to ${user.email}`, () => sink.to(user.email).length === 1, 20_000);
});

test('F21 mails wait for a server that is away and arrive once it is back', async () => {
  const users = await givenUsers(3);
  await sink.stop();
  const ledger = new Ledger();
  for (const user of users) await resetPassword(ledger, system.client(), user);
  const health = await system.client().get('/health');
  expect(health.status).toBe(200);
  await sink.start();
  for (const user of users) await eventually(`mail to ${user.email}`, () => sink.to(user.email).length === 1, 40_000);
});
