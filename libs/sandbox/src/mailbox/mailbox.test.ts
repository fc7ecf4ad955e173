import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, systemClock } from '@latchkey/kit';
import express from 'express';
import { createTransport } from 'nodemailer';
import { createMailbox, type Mailbox } from './create-mailbox.js';
import { openMailFiles } from './mail-files.js';
import type { MailSummary, StoredMail } from './stored-mail.js';

const logger = createLogger({ service: 'mailbox-test', level: 'silent' });
let dataDir: string;
let mailbox: Mailbox;
let server: Server;
let base: string;

async function startMailbox(): Promise<void> {
  mailbox = createMailbox({ dataDir, logger, clock: systemClock });
  await mailbox.start();
  server = createServer(express().use('/mailbox', mailbox.router)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mailbox`;
}

async function stopMailbox(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await mailbox.stop();
}

async function deliver(mail: { to?: string; subject?: string; text?: string; html?: string } = {}): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port: mailbox.smtpPort, secure: false });
  const { to = 'ada@example.org', subject = 'Hello', text = 'Text', html } = mail;
  const info = await transport.sendMail({
    from: 'Latchkey <no-reply@localhost>',
    to,
    subject,
    text,
    ...(html && { html }),
  });
  return info.messageId;
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await fetch(`${base}${path}`, init)).json() as Promise<T>;
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mailbox-'));
  await startMailbox();
});
afterEach(async () => {
  await stopMailbox();
  await rm(dataDir, { recursive: true });
});

test('a mail sent over SMTP is listed newest first and shown with its links', async () => {
  await deliver({ subject: 'First', to: 'Ada@Example.org' });
  const messageId = await deliver({
    subject: 'Grüße',
    to: 'bob@example.org',
    text: 'Open http://localhost:3000/change-password?reset_token=ab12&user_id=7.\n',
    html: '<p>Hi</p>',
  });
  const { mails } = await json<{ mails: MailSummary[] }>('/api/mails');
  expect(mails.map(({ subject }) => subject)).toEqual(['Grüße', 'First']);
  expect(mails[0]).toMatchObject({ from: 'no-reply@localhost', to: 'bob@example.org', messageId });
  const { mail } = await json<{ mail: StoredMail }>(`/api/mails/${mails[0]?.id}`);
  expect(mail.links).toEqual(['http://localhost:3000/change-password?reset_token=ab12&user_id=7']);
  expect(mail.html).toContain('<p>Hi</p>');
  expect(mail.headers).toContainEqual({ name: 'Message-ID', value: messageId });
  const found = await json<{ mails: MailSummary[] }>('/api/mails?to=ada@example.org');
  expect(found.mails.map(({ subject }) => subject)).toEqual(['First']);
});

test('the list and the page of a mail are html with a strict policy, and escape what the mail holds', async () => {
  await deliver({ subject: '<script>alert(1)</script>', text: 'a <b> & "c"' });
  const { mails } = await json<{ mails: MailSummary[] }>('/api/mails');
  for (const path of ['/', `/${mails[0]?.id}`]) {
    const answer = await fetch(`${base}${path}`);
    const page = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('<script>alert');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  }
});

test("a mail's own html is served without scripts or an origin, and its links open in a new tab", async () => {
  await deliver({
    html: '<html><head><title>x</title></head><body><script>alert(1)</script><a href="http://a.test/">a</a></body></html>',
  });
  const { mails } = await json<{ mails: MailSummary[] }>('/api/mails');
  const page = await (await fetch(`${base}/${mails[0]?.id}`)).text();
  expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  const answer = await fetch(`${base}/${mails[0]?.id}/html`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/sandbox allow-popups allow-popups-to-escape-sandbox$/);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
  expect(await answer.text()).toContain('<head><base target="_blank">');
});

test('every mail that was answered with 250 is there after a crash, and half-written ones are not', async () => {
  await deliver({ subject: 'Kept' });
  await writeFile(join(dataDir, 'mailbox', '000000000000001-00000000.eml.tmp'), 'Subject: torn');
  // A second one on the same directory, with the first never stopped, sees what a restart after kill -9 would.
  const files = await openMailFiles({ directory: join(dataDir, 'mailbox'), clock: systemClock, keep: 10 });
  expect(files.list().map(({ subject }) => subject)).toEqual(['Kept']);
  expect((await readdir(join(dataDir, 'mailbox'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('mails keep their ids over a restart', async () => {
  await deliver();
  const before = await json<{ mails: MailSummary[] }>('/api/mails');
  await stopMailbox();
  await startMailbox();
  expect(await json('/api/mails')).toEqual(before);
  await deliver({ subject: 'Later' });
  const after = await json<{ mails: MailSummary[] }>('/api/mails');
  expect(after.mails.map(({ subject }) => subject)).toEqual(['Later', 'Hello']);
});

test('only the newest mails are kept', async () => {
  const directory = join(dataDir, 'bounded');
  const clock = { now: () => 1_000 };
  const files = await openMailFiles({ directory, clock, keep: 2 });
  for (const name of ['one', 'two', 'three']) await files.store(Buffer.from(`Subject: ${name}\r\n\r\ntext\r\n`));
  expect(files.list().map(({ subject }) => subject)).toEqual(['three', 'two']);
  expect(await readdir(directory)).toHaveLength(2);
});

test('a mail that cannot be stored is not acknowledged', async () => {
  await rm(join(dataDir, 'mailbox'), { recursive: true });
  await expect(deliver()).rejects.toMatchObject({ responseCode: 451 });
  await openMailFiles({ directory: join(dataDir, 'mailbox'), clock: systemClock, keep: 1 });
});

test('a request made to another host name is refused', async () => {
  await deliver();
  const statusFor = (host: string) =>
    new Promise((resolve, reject) => {
      get(`${base}/api/mails`, { headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on(
        'error',
        reject,
      );
    });
  expect(await statusFor('evil.test')).toBe(403);
  expect(await statusFor('localhost.evil.test:3005')).toBe(403);
  expect(await statusFor('localhost:3005')).toBe(200);
  expect(await statusFor('[::1]:3005')).toBe(200);
});

test('the mailbox can be emptied; what is not there is 404', async () => {
  await deliver();
  await json('/api/mails', { method: 'DELETE' });
  expect(await json('/api/mails')).toEqual({ mails: [] });
  for (const path of ['/api/mails/..%2f..%2fsecrets', '/nothing', '/api/nothing']) {
    expect((await fetch(`${base}${path}`)).status).toBe(404);
  }
});

test('a mail to several is there once for each of them', async () => {
  await deliver({ to: 'ada@example.org, bob@example.org' });
  const { mails } = await json<{ mails: MailSummary[] }>('/api/mails');
  expect(mails.map(({ to }) => to).sort()).toEqual(['ada@example.org', 'bob@example.org']);
});
