import { eventually } from './testing/eventually.js';
import { orderNotice, orderReset } from './testing/orders.js';
import { decoded, type SmtpScript, scriptedSmtp } from './testing/scripted-smtp.js';
import { startMailer, type TestMailer } from './testing/start-mailer.js';

let mailer: TestMailer;
const begin = async (script: SmtpScript = {}) => {
  mailer = await startMailer(script);
  return mailer;
};
afterEach(() => mailer.end());

test('a reset is mailed once, with its link, and the delivery log tells of it', async () => {
  await begin();
  const { id, token } = await orderReset(mailer);
  const mail = await mailer.reaches(id, 'sent');
  expect(mailer.smtp.received).toHaveLength(1);
  expect(decoded(mailer.smtp.received[0]?.raw ?? '')).toContain(`reset_token=${token}&user_id=7`);
  expect(mail).toMatchObject({
    template: 'password-reset',
    to: 'ada@example.org',
    subject: 'Reset your Latchkey password',
    message_id: `<${id}@latchkey.test>`,
    request_id: `request-${id}`,
    next_attempt_at: null,
    attempts: [{ outcome: 'accepted', code: '250' }],
  });
  expect(JSON.stringify(mail)).not.toContain(token);
});

test('F31 an event that is delivered again, before or after the mail went out, sends nothing more', async () => {
  await begin();
  const id = 'event-1';
  await orderReset(mailer, { id });
  await orderReset(mailer, { id });
  await mailer.reaches(id, 'sent');
  await orderReset(mailer, { id });
  const later = await orderNotice(mailer);
  await mailer.reaches(later, 'sent');
  expect(mailer.smtp.received.filter(({ messageId }) => messageId.includes('event-1'))).toHaveLength(1);
  expect(mailer.logs.join('')).not.toMatch(/tried again|: dead/);
});

test('F5 F21 a lost answer leads to one more copy at most, under the same Message-ID', async () => {
  let answers = 0;
  await begin({ received: () => (answers++ === 0 ? 'drop' : undefined) });
  const { id } = await orderReset(mailer);
  await eventually(async () => expect((await mailer.mail(id)).attempts).toHaveLength(1));
  mailer.turnClock(2);
  const mail = await mailer.reaches(id, 'sent');
  expect(mail.attempts.map(({ outcome }) => outcome)).toEqual(['temporary-failure', 'accepted']);
  expect(mailer.smtp.received.map(({ messageId }) => messageId)).toEqual([
    `<${id}@latchkey.test>`,
    `<${id}@latchkey.test>`,
  ]);
});

test('F5 what a sender left when it died goes on within 10 s, under the same Message-ID', async () => {
  await begin({ received: () => 'hang' });
  const { id } = await orderReset(mailer);
  await eventually(() => expect(mailer.smtp.received).toHaveLength(1));
  // As after kill -9: the lease stays, nobody renews it.
  const raw = await mailer.connection.collection('mails').findOne({ _id: id as never });
  await mailer.close();
  mailer.smtp.script = {};
  await mailer.reopen();
  await mailer.connection.collection('mails').updateOne(
    { _id: id as never },
    {
      $set: {
        state: 'sending',
        leaseOwner: raw?.leaseOwner,
        leasedAt: new Date(),
        nextAttemptAt: new Date(),
        attempts: [],
      },
    },
  );
  const started = performance.now();
  await mailer.reaches(id, 'sent');
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(new Set(mailer.smtp.received.map(({ messageId }) => messageId)).size).toBe(1);
}, 30_000);

test('F18 four stalled dialogues hold up nobody else', async () => {
  mailer = await startMailer(
    { rcptTo: (to) => (to.startsWith('slow') ? 'hang' : undefined) },
    { socket: 60_000, overall: 60_000 },
  );
  const slow = await Promise.all(Array.from({ length: 4 }, (_, n) => orderNotice(mailer, `slow${n}@example.org`)));
  await Promise.all(slow.map((id) => mailer.reaches(id, 'sending')));
  const quick = await Promise.all(Array.from({ length: 20 }, (_, n) => orderNotice(mailer, `quick${n}@example.org`)));
  await Promise.all(quick.map((id) => mailer.reaches(id, 'sent')));
  for (const id of slow) expect(await mailer.mail(id)).toMatchObject({ state: 'sending', attempts: [] });
  expect(mailer.smtp.connections.most).toBe(5);
});

test('F19 greylisting: tried again by the calendar, then sent', async () => {
  let refusals = 0;
  await begin({ rcptTo: () => (refusals++ < 2 ? '451 4.7.1 come back later' : undefined) });
  const { id } = await orderReset(mailer);
  await eventually(async () => expect((await mailer.mail(id)).attempts).toHaveLength(1));
  mailer.turnClock(1.2);
  await eventually(async () => expect((await mailer.mail(id)).attempts).toHaveLength(2));
  const waiting = await mailer.mail(id);
  expect(waiting).toMatchObject({ state: 'queued', attempts: [{ code: '451' }, { code: '451' }] });
  const wait = Date.parse(waiting.next_attempt_at ?? '') - Date.parse(waiting.attempts[1]?.at ?? '');
  expect(wait / 5000).toBeGreaterThanOrEqual(0.9);
  expect(wait / 5000).toBeLessThanOrEqual(1.1);
  mailer.turnClock(6);
  await mailer.reaches(id, 'sent');
});

test('F19 a mail that cannot arrive in time is abandoned, and auth is told which link was in it', async () => {
  await begin({ rcptTo: () => '450 busy' });
  const { id, tokenHash } = await orderReset(mailer, { lifetime: 3 });
  await eventually(async () => expect((await mailer.mail(id)).attempts).toHaveLength(1));
  mailer.turnClock(1.2);
  await mailer.reaches(id, 'abandoned');
  await eventually(() =>
    expect(mailer.abandoned).toEqual([
      { mailId: id, template: 'password-reset', userId: 7, tokenHash, reason: 'gave up: 450 450 busy' },
    ]),
  );
});

test('F20 a refusal for good fails at once, is reported, and is not tried again', async () => {
  await begin({ rcptTo: () => '550 5.1.1 no such user' });
  const { id, tokenHash } = await orderReset(mailer);
  const mail = await mailer.reaches(id, 'failed');
  expect(mail.attempts).toMatchObject([
    { outcome: 'permanent-failure', code: '550', response: '550 5.1.1 no such user' },
  ]);
  expect(mail.next_attempt_at).toBeNull();
  await eventually(() => expect(mailer.abandoned).toMatchObject([{ mailId: id, tokenHash }]));
});

test('F20 with one bad address in ten of 200 mails, the rest is delivered', async () => {
  await begin({ rcptTo: (to) => (to.startsWith('bad') ? '550 no such user' : undefined) });
  const order = (n: number) => orderNotice(mailer, `${n % 10 === 0 ? 'bad' : 'good'}${n}@example.org`);
  const ids = await Promise.all(Array.from({ length: 200 }, (_, n) => order(n)));
  const mails = await eventually(async () => {
    const { mails } = await mailer.api.listMails({ query: { limit: '200' } }, mailer.context());
    expect(mails.filter(({ state }) => state === 'sent' || state === 'failed')).toHaveLength(ids.length);
    return mails;
  }, 100);
  expect(mails.filter(({ state }) => state === 'failed')).toHaveLength(20);
  expect(new Set(mailer.smtp.received.map(({ to }) => to)).size).toBe(180);
  expect(mailer.smtp.received).toHaveLength(180);
}, 120_000);

test('F21 a server that is away costs attempts, not mails', async () => {
  await begin();
  const { port } = mailer.smtp;
  await mailer.smtp.close();
  const { id } = await orderReset(mailer);
  const failed = await eventually(async () => {
    const mail = await mailer.mail(id);
    expect(mail.attempts.length).toBeGreaterThan(0);
    return mail;
  });
  expect(failed.attempts[0]).toMatchObject({ outcome: 'temporary-failure', code: 'ECONNREFUSED' });
  const back = await scriptedSmtp({}, port);
  mailer.turnClock(2);
  await mailer.reaches(id, 'sent');
  expect(back.received).toHaveLength(1);
  await back.close();
});

test('a server that refuses our credentials or sender is shouted about, and no mail is lost to it', async () => {
  await begin({ mailFrom: () => '550 sender refused' });
  const { id } = await orderReset(mailer);
  await eventually(async () => expect((await mailer.mail(id)).attempts).toHaveLength(1));
  expect((await mailer.mail(id)).state).toBe('queued');
  expect(mailer.logs.some((line) => line.includes('"level":"error"') && line.includes('SMTP_URL'))).toBe(true);
  expect(await mailer.mailer.checks.find(({ name }) => name === 'smtp')?.run()).toMatchObject({ status: 'degraded' });
  mailer.smtp.script = {};
  mailer.turnClock(2);
  await mailer.reaches(id, 'sent');
});
