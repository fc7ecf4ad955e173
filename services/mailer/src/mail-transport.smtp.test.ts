import { systemClock } from '@latchkey/kit';
import type { OutgoingMail } from './mail-transport.js';
import { createSmtpTransport, type SmtpLimits } from './mail-transport.smtp.js';
import { eventually } from './testing/eventually.js';
import { type ScriptedSmtp, type SmtpScript, scriptedSmtp } from './testing/scripted-smtp.js';

const quick: SmtpLimits = { connection: 300, greeting: 300, socket: 300, dns: 300, overall: 1_000 };
const never = new AbortController().signal;
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const mail: OutgoingMail = {
  messageId: '<event-1@example.org>',
  from: 'Latchkey <no-reply@example.org>',
  to: 'ada@example.org',
  subject: 'Grüße',
  text: 'text',
  html: '<p>html</p>',
  language: 'en',
};

async function setUp(
  script: SmtpScript = {},
  options: { limits?: Partial<SmtpLimits>; url?: (smtp: ScriptedSmtp) => string } = {},
) {
  const smtp = await scriptedSmtp(script);
  const url = options.url?.(smtp) ?? smtp.url;
  const transport = createSmtpTransport({ url, clock: systemClock, limits: { ...quick, ...options.limits } });
  cleanups.push(
    () => smtp.close(),
    () => transport.close(),
  );
  return { smtp, transport };
}

test('a mail goes out with its Message-ID, one recipient and the mark of an automatic mail', async () => {
  const { smtp, transport } = await setUp();
  expect(await transport.send(mail, never)).toEqual({ outcome: 'accepted', code: '250', response: '250 2.0.0 stored' });
  const [sent] = smtp.received;
  expect(sent?.to).toBe('ada@example.org');
  expect(sent?.raw).toMatch(/^Message-ID: <event-1@example.org>$/m);
  expect(sent?.raw).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(sent?.raw).toMatch(/^From: Latchkey <no-reply@example.org>$/m);
});

test('S61 a recipient or subject with line breaks or a list adds no recipient and no header', async () => {
  const { smtp, transport } = await setUp();
  const evil = 'a@example.org, b@example.org\r\nBcc: c@example.org';
  await transport.send({ ...mail, to: evil, subject: 'x\r\nBcc: c@example.org' }, never);
  for (const { to, raw } of smtp.received) {
    expect(to).not.toMatch(/^[bc]@/);
    expect(raw).not.toMatch(/^Bcc:/m);
  }
});

test('P23 one connection serves several mails', async () => {
  const { smtp, transport } = await setUp();
  for (let sent = 0; sent < 3; sent += 1) await transport.send(mail, never);
  expect(smtp.received).toHaveLength(3);
  expect(smtp.connections.total).toBe(1);
});

describe('F18 a slow server costs a bounded time', () => {
  test.each<[string, SmtpScript]>([
    ['no banner', { banner: () => 'hang' }],
    ['silence after EHLO', { ehlo: () => 'hang' }],
    ['silence after RCPT', { rcptTo: () => 'hang' }],
    ['silence after the content', { received: () => 'hang' }],
  ])('%s', async (_name, script) => {
    const { transport } = await setUp(script);
    expect(await transport.send(mail, never)).toMatchObject({ outcome: 'temporary-failure', code: 'ETIMEDOUT' });
  });

  test('a reply that trickles in for ever is cut off by the overall limit', async () => {
    // The reply never ends, and the limit of inactivity is out of reach.
    const { smtp, transport } = await setUp({}, { limits: { socket: 60_000, overall: 400 } });
    smtp.script.rcptTo = () => '250-still thinking';
    const delivery = await transport.send(mail, never);
    expect(delivery).toMatchObject({ outcome: 'temporary-failure', code: 'ETIMEDOUT' });
    smtp.script = {};
    expect(await transport.send(mail, never)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('F19 F20 F21 what the server or the network does decides', () => {
  test.each<[string, SmtpScript, object]>([
    ['451 to RCPT', { rcptTo: () => '451 later' }, { outcome: 'temporary-failure', code: '451' }],
    ['421 to DATA', { data: () => '421 closing' }, { outcome: 'temporary-failure', code: '421' }],
    ['452 after the content', { received: () => '452 full' }, { outcome: 'temporary-failure', code: '452' }],
    ['550 to RCPT', { rcptTo: () => '550 unknown' }, { outcome: 'permanent-failure', code: '550' }],
    ['554 after the content', { received: () => '554 spam' }, { outcome: 'permanent-failure', code: '554' }],
    ['554 banner', { banner: () => '554 go away' }, { outcome: 'temporary-failure', misconfigured: true }],
    ['550 to MAIL FROM', { mailFrom: () => '550 not you' }, { outcome: 'temporary-failure', misconfigured: true }],
    ['530 to MAIL FROM', { mailFrom: () => '530 log in first' }, { outcome: 'temporary-failure', misconfigured: true }],
    ['cut before the banner', { banner: () => 'drop' }, { outcome: 'temporary-failure' }],
    ['cut after RCPT', { rcptTo: () => 'drop' }, { outcome: 'temporary-failure' }],
    ['cut after the content', { received: () => 'drop' }, { outcome: 'temporary-failure' }],
    ['nonsense', { rcptTo: () => 'what?' }, { outcome: 'temporary-failure' }],
  ])('%s', async (_name, script, expected) => {
    const { smtp, transport } = await setUp(script);
    expect(await transport.send(mail, never)).toMatchObject(expected);
    smtp.script = {};
    // The transport is as good as new afterwards (P21, P22).
    await eventually(async () => expect(await transport.send(mail, never)).toMatchObject({ outcome: 'accepted' }));
  });

  test('P21 a mail whose connection was cut is given back at once, never queued again in silence', async () => {
    const { smtp, transport } = await setUp({ banner: () => 'drop' });
    await transport.send(mail, never);
    expect(smtp.connections.total).toBe(1);
  });

  test.each([
    ['550 no such user', 'permanent-failure'],
    ['451 later', 'temporary-failure'],
  ])('F21 a refusal that comes in the list of a dialogue that went well (LMTP) counts: %s', async (reply, outcome) => {
    const url = ({ port }: ScriptedSmtp) => `smtp://127.0.0.1:${port}?lmtp=true`;
    const { transport } = await setUp({ received: () => reply }, { url });
    expect(await transport.send(mail, never)).toMatchObject({ outcome, code: reply.slice(0, 3) });
  });

  test('535 to AUTH is temporary for the mail and a fault of ours', async () => {
    const url = ({ port }: ScriptedSmtp) => `smtp://user:wrong@127.0.0.1:${port}`;
    const { transport } = await setUp({ auth: () => '535 wrong' }, { url });
    const expected = { outcome: 'temporary-failure', code: '535', misconfigured: true };
    expect(await transport.send(mail, never)).toMatchObject(expected);
  });

  test('a refused connection and a name that does not exist are temporary', async () => {
    const { smtp, transport } = await setUp();
    await smtp.close();
    expect(await transport.send(mail, never)).toMatchObject({ outcome: 'temporary-failure', code: 'ECONNREFUSED' });
    const lost = createSmtpTransport({ url: 'smtp://nowhere.invalid:25', clock: systemClock, limits: quick });
    expect(await lost.send(mail, never)).toMatchObject({ outcome: 'temporary-failure' });
    cleanups.length = 0;
    await Promise.all([transport.close(), lost.close()]);
  });
});

test('P22 a connection that the server dropped while it was idle costs a retry, never the mail', async () => {
  const { smtp, transport } = await setUp();
  await transport.send(mail, never);
  const { port } = smtp;
  await smtp.close();
  const again = await scriptedSmtp({}, port);
  cleanups.splice(0, 1, () => again.close());
  await eventually(async () => expect(await transport.send(mail, never)).toMatchObject({ outcome: 'accepted' }));
  expect(again.received).toHaveLength(1);
});

test('an aborted attempt ends at once', async () => {
  const { transport } = await setUp({ rcptTo: () => 'hang' }, { limits: { socket: 60_000, overall: 60_000 } });
  const controller = new AbortController();
  const sending = transport.send(mail, controller.signal);
  setImmediate(() => controller.abort());
  expect(await sending).toMatchObject({ outcome: 'temporary-failure', code: 'EABORT' });
});

test('health is what was last seen, never waits, and is looked up anew while the server is away', async () => {
  let now = 0;
  const smtp = await scriptedSmtp();
  const transport = createSmtpTransport({ url: smtp.url, clock: { now: () => now }, limits: quick });
  cleanups.push(() => transport.close());
  expect(await transport.check()).toMatchObject({ status: 'ok' });
  await transport.send(mail, never);
  expect(await transport.check()).toEqual({ status: 'ok' });
  const { port } = smtp;
  await smtp.close();
  await eventually(async () => {
    now += 61_000;
    expect(await transport.check()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });
  const again = await scriptedSmtp({}, port);
  cleanups.push(() => again.close());
  await eventually(async () => {
    now += 11_000;
    expect(await transport.check()).toEqual({ status: 'ok' });
  });
});

test('a mail refused for its own sake leaves the server in good health', async () => {
  const { transport } = await setUp({ rcptTo: () => '550 unknown' });
  await transport.send(mail, never);
  expect(await transport.check()).toEqual({ status: 'ok' });
});
