import { bindings } from '@latchkey/contracts';
import { eventually } from './testing/eventually.js';
import { orderNotice, orderReset } from './testing/orders.js';
import { decoded, type SmtpScript } from './testing/scripted-smtp.js';
import { sealer, startMailer, type TestMailer } from './testing/start-mailer.js';

let mailer: TestMailer;
const begin = async (script: SmtpScript = {}) => {
  mailer = await startMailer(script);
};
afterEach(() => mailer.end());

test('O11 an event that comes after its time is written down as abandoned, reported, and never mailed', async () => {
  await begin();
  const { id, tokenHash, sealedToken } = await orderReset(mailer, { lifetime: -1, withNotAfter: false });
  await mailer.reaches(id, 'abandoned');
  await eventually(() => expect(mailer.abandoned).toMatchObject([{ mailId: id, tokenHash }]));
  expect(mailer.smtp.received).toHaveLength(0);
  const stored = await mailer.connection.collection('mails').findOne({ _id: id as never });
  expect(JSON.stringify(stored)).not.toContain(sealedToken);
});

test('O11 a mail that was held past its time is abandoned instead of sent', async () => {
  await begin({ banner: () => '421 not now' });
  const { id } = await orderReset(mailer, { lifetime: 60 });
  await eventually(async () => expect((await mailer.mail(id)).attempts.length).toBeGreaterThan(0));
  await mailer.close();
  mailer.turnClock(61);
  mailer.smtp.script = {};
  await mailer.reopen();
  await mailer.reaches(id, 'abandoned');
  await eventually(() => expect(mailer.abandoned).toHaveLength(1));
  expect(mailer.smtp.received).toHaveLength(0);
});

test.each<[string, SmtpScript, 'sent' | 'failed']>([
  ['sent', {}, 'sent'],
  ['failed', { rcptTo: () => '550 no' }, 'failed'],
])(
  'S48 O10 no secret, sealed or not, is left of a mail that was %s, nor ever in the log',
  async (_name, script, state) => {
    await begin(script);
    const { id, token, disownToken, sealedToken } = await orderReset(mailer);
    await mailer.reaches(id, state);
    const stored = await mailer.connection.collection('mails').findOne({ _id: id as never });
    expect(stored).not.toHaveProperty('secrets');
    expect(JSON.stringify(stored)).not.toContain(sealedToken);
    const everything = `${await mailer.dump()}${mailer.logs.join('')}`;
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(disownToken);
  },
);

test('a link that cannot be unsealed fails its mail and is reported', async () => {
  await begin();
  const expiresAt = mailer.inSeconds(600);
  const payload = { userId: 7, to: 'ada@example.org', name: 'Ada', languages: null, expiresAt, tokenHash: 'hash' };
  const sealedToken = sealer.seal('ab', 'another-purpose');
  const id = await mailer.publish(bindings.sendInvitation.event, { ...payload, sealedToken });
  const mail = await mailer.reaches(id, 'failed');
  expect(mail.attempts).toMatchObject([{ outcome: 'permanent-failure', code: 'UNCOMPOSABLE' }]);
  await eventually(() => expect(mailer.abandoned).toMatchObject([{ mailId: id, tokenHash: 'hash' }]));
});

test('S60 S70 notices of a changed password and email go where they must, without a secret', async () => {
  await begin();
  const changed = await orderNotice(mailer);
  const email = await mailer.publish(bindings.sendEmailChanged.event, {
    userId: 7,
    oldEmail: 'old@example.org',
    newEmail: 'new@example.org',
    name: 'Ada',
    paymentCustomerId: null,
    languages: 'de',
  });
  await mailer.reaches(changed, 'sent');
  expect(await mailer.reaches(email, 'sent')).toMatchObject({
    to: 'old@example.org',
    subject: expect.stringContaining('Ihre E-Mail-Adresse'),
  });
  expect(mailer.smtp.received.map(({ to }) => to).sort()).toEqual(['ada@example.org', 'old@example.org']);
  for (const { raw } of mailer.smtp.received) expect(decoded(raw)).not.toMatch(/_token|[0-9a-f]{64}/);
});
