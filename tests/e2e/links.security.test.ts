// What mails and pages of links show, and what no client can put into them.
import { request } from 'node:http';
import { type ReceivedMail, resetLinkOf } from '../support/mailbox.js';
import { type System, startSystem } from '../support/system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem({ PUBLIC_URL: 'https://id.example.com' });
});
afterAll(() => system.stop());

const password = 'correct horse battery';
/** Everything by which a client or a bad proxy may claim another host. */
const otherHost = {
  host: 'evil.test',
  'x-forwarded-host': 'evil.test',
  'x-forwarded-proto': 'http',
  'x-forwarded-port': '81',
  'x-forwarded-prefix': '/evil',
  'x-original-host': 'evil.test',
  'x-host': 'evil.test',
  forwarded: 'host=evil.test;proto=http',
};

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** `fetch` sets Host itself, so this speaks HTTP by hand. */
function ask(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(`${system.url}${path}`, { method, headers: { ...headers, ...json } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const cookieOf = async (client: { token(): Promise<string | undefined> }) => ({
  ...otherHost,
  cookie: `access_token=${await client.token()}`,
});
// Its attribute Secure keeps the cookie out of a jar that speaks http, as it should.
async function loggedIn(user: { email: string; password: string }) {
  const answer = await system.client().post('/login', user);
  const token = /access_token=([^;]+)/.exec(answer.setCookies[0] as string)?.[1];
  return { token: async () => token };
}
const linksOf = (mail: ReceivedMail) => [...`${mail.text} ${mail.html}`.matchAll(/https?:\/\/[^\s"<>)]+/g)].map(String);

async function givenUser(email: string) {
  const admin = await cookieOf(await loggedIn({ email: 'root@example.com', password: 'first of all admins' }));
  const body = { email, first_name: 'Grace', last_name: 'Hopper', password };
  const created = await ask('POST', '/user', admin, body);
  expect(created.status).toBe(201);
  return { admin, created, id: JSON.parse(created.text).user.id as number };
}

test('S56 every link is built from PUBLIC_URL, whatever Host and its like say', async () => {
  const { admin, created, id } = await givenUser('linked@example.net');
  expect(created.headers.location).toBe(`/user/${id}`);
  expect((await ask('POST', '/reset-password', otherHost, { email: 'linked@example.net' })).status).toBe(200);
  const reset = await system.mailbox.waitFor('linked@example.net', /reset/i);
  await ask('POST', '/change-password', otherHost, { ...resetLinkOf(reset), password: 'a fresh staple 42' });
  const changed = await system.mailbox.waitFor('linked@example.net', /changed/i);

  const invited = { email: 'guest@example.net', first_name: 'A', last_name: 'B' };
  await ask('POST', '/user', admin, invited);
  const invitation = await system.mailbox.waitFor('guest@example.net', /welcome/i);

  const own = await cookieOf(await loggedIn({ email: 'linked@example.net', password: 'a fresh staple 42' }));
  const update = { email: 'moved@example.net', current_password: 'a fresh staple 42' };
  expect((await ask('PUT', `/user/${id}`, own, update)).status).toBe(200);
  const confirmation = await system.mailbox.waitFor('moved@example.net', /confirm/i);

  const mails = [reset, changed, invitation, confirmation];
  for (const mail of mails) {
    expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toMatch(/evil/);
    for (const link of linksOf(mail)) expect(link).toMatch(/^https:\/\/id\.example\.com\//);
  }
  expect(mails.map((mail) => linksOf(mail).length > 0)).toEqual([true, expect.any(Boolean), true, true]);
  const home = await ask('GET', '/', { ...otherHost, accept: 'text/html' });
  expect(home.headers.location).not.toMatch(/evil/);
});

test('S57 the page of a mailed link sends no referrer, is not cached, and loads nothing from elsewhere', async () => {
  for (const path of ['/change-password?reset_token=ab&user_id=1', '/not-me?disown_token=ab&user_id=1']) {
    const page = await ask('GET', path, { accept: 'text/html' });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
  }
});

test('S57 asking for the page of a link spends nothing', async () => {
  await givenUser('looker@example.net');
  await system.client().post('/reset-password', { email: 'looker@example.net' });
  const link = resetLinkOf(await system.mailbox.waitFor('looker@example.net', /reset/i));
  for (const method of ['GET', 'HEAD', 'GET']) {
    const path = `/change-password?reset_token=${link.reset_token}&user_id=${link.user_id}`;
    expect((await ask(method, path, { accept: 'text/html' })).status).toBe(200);
  }
  expect((await system.client().post('/reset-token/check', link)).status).toBe(200);
});

test('S58 nothing in the mail or the log of a reset logs in', async () => {
  await givenUser('words@example.net');
  const before = system.log().length;
  await system.client().post('/reset-password', { email: 'words@example.net' });
  const mail = await system.mailbox.waitFor('words@example.net', /reset/i);
  const words = new Set([
    ...`${mail.subject} ${mail.text}`.split(/[\s<>()]+/),
    ...`${mail.text} ${system.log().slice(before)}`.split(/[^\w-]+/),
    resetLinkOf(mail).reset_token,
    password,
  ]);
  for (const word of words) {
    if (word === '') continue;
    const answer = await system.client().post('/login', { email: 'words@example.net', password: word });
    expect([word, answer.status]).toEqual([word, 401]);
  }
});
