// Rows of the security list on sessions, the cookie and the HTTP surface, through the whole system.
import { createHmac } from 'node:crypto';
import { type Answer, ApiClient } from '../support/api-client.js';
import { type System, startSystem } from '../support/system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const password = 'correct horse battery';
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

async function session() {
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  const jwt = (await client.token()) as string;
  const [header, payload, signature] = jwt.split('.') as [string, string, string];
  return { user, client, jwt, header, payload, signature };
}

const present = (jwt: string, path = '/session') =>
  system.client().get(path, { headers: { cookie: `access_token=${jwt}` } });

test('S24 a login gives a new session and does not take over the one presented', async () => {
  const { user, client, payload } = await session();
  await client.post('/login', { email: user.email, password });
  const second = decode(((await client.token()) as string).split('.')[1] as string);
  expect(second.sid).not.toBe(decode(payload).sid);
});

test('S30 S43 the token holds sub, sid, iat, exp, iss and aud and nothing else, and fits a cookie', async () => {
  const { jwt, header, payload } = await session();
  expect(Object.keys(decode(payload)).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'sid', 'sub']);
  expect(decode(header)).toMatchObject({ alg: 'ES256', kid: expect.any(String), typ: expect.stringMatching(/jwt$/i) });
  expect(decode(payload).sid).toMatch(/^[0-9a-f]{32}$/);
  expect(`access_token=${jwt}`.length).toBeLessThan(4096);
});

test('S32 S33 S34 S36 P29 forged, altered and foreign tokens are refused', async () => {
  const { jwt, header, payload, signature } = await session();
  expect((await present(jwt)).status).toBe(200);
  const keys = (await system.client().get('/.well-known/jwks.json')).body.keys;
  const mac = (head: object) => {
    const body = `${base64url({ ...decode(header), ...head })}.${payload}`;
    return `${body}.${createHmac('sha256', JSON.stringify(keys[0])).update(body).digest('base64url')}`;
  };
  const forged = [
    ...['none', 'None', 'NONE'].map((alg) => `${base64url({ ...decode(header), alg })}.${payload}.`),
    // A key that nobody has must not be taken for the empty one.
    `${base64url({ ...decode(header), alg: 'none', kid: 'unknown' })}.${payload}.`,
    `${base64url({ ...decode(header), kid: 'unknown' })}.${payload}.`,
    mac({ alg: 'HS256' }),
    mac({ alg: 'HS512' }),
    mac({ alg: 'RS256' }),
    `${header}.${base64url({ ...decode(payload), sub: '1' })}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `${base64url({ ...decode(header), kid: '../../etc/passwd' })}.${payload}.${signature}`,
    `${base64url({ ...decode(header), jku: 'http://127.0.0.1:9/keys' })}.${payload}.${signature}`,
    `${header}.${payload}`,
    'eyJ',
    '%E0%A4%A',
  ];
  for (const token of forged) {
    const answer = await present(token);
    expect([token, answer.status, answer.body.code]).toEqual([token, 401, 'session-required']);
  }
});

test('S27 P28 over http the cookie is not Secure, since Safari would refuse it on localhost, and a browser keeps it until it ends', async () => {
  const { user, client } = await session();
  const answer = await system.client().post('/login', { email: user.email, password });
  expect(answer.setCookies).toEqual([expect.stringMatching(/^access_token=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/)]);
  expect((await client.get('/session')).status).toBe(200);
  await client.get('/logout');
  expect(await client.token()).toBeUndefined();
});

test('S37 a deleted user’s token is refused at once on every route', async () => {
  const { user, jwt } = await session();
  expect((await (await system.admin()).delete(`/user/${user.id}`)).status).toBe(200);
  for (const path of ['/session', '/sessions', `/user/${user.id}`, '/user'])
    expect((await present(jwt, path)).status).toBe(401);
});

test('a changed role ends the sessions that began with the old one', async () => {
  const { user, client } = await session();
  expect((await (await system.admin()).put(`/user/${user.id}`, { role: 'admin' })).status).toBe(200);
  expect((await client.get('/session')).status).toBe(401);
  const again = await system.loggedIn(user);
  expect((await again.get('/user')).status).toBe(200);
});

test('S45 a user sees its sessions, ends one, and a new password ends the others', async () => {
  const { user, client } = await session();
  const other = await system.loggedIn(user);
  const third = await system.loggedIn(user);
  const { sessions } = (await client.get('/sessions')).body;
  expect(sessions).toHaveLength(3);
  expect(sessions.filter((one: { current: boolean }) => one.current)).toHaveLength(1);

  const otherId = (await other.get('/session')).body.session.id;
  expect((await client.delete(`/sessions/${otherId}`)).status).toBe(200);
  expect((await other.get('/session')).status).toBe(401);
  const change = await client.put(`/user/${user.id}`, { password: 'a brand new one 1', current_password: password });
  expect(change.status).toBe(200);
  expect((await third.get('/session')).status).toBe(401);
  expect((await client.get('/session')).status).toBe(200);
});

test('a session of another user can neither be seen nor ended', async () => {
  const mine = await session();
  const other = await session();
  const { id } = (await other.client.get('/session')).body.session;
  expect((await mine.client.delete(`/sessions/${id}`)).status).toBe(404);
  expect((await other.client.get('/session')).status).toBe(200);
});

test('S31 S57 S72 answers carry the headers that keep them out of caches, frames and referrers', async () => {
  const { client, user } = await session();
  for (const answer of [
    await client.get(`/user/${user.id}`),
    await client.get('/session'),
    await system.client().get('/logout'),
  ]) {
    expect(answer.headers.get('cache-control')).toMatch(/no-store/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('x-powered-by')).toBeNull();
  }
});

test.each([
  ['S63 cross-site fetch', { 'sec-fetch-site': 'cross-site' }, 403],
  [
    'S63 same-site fetch of an origin that is not allowed',
    { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost' },
    403,
  ],
  ['S63 foreign Origin without Sec-Fetch-Site', { origin: 'https://evil.example' }, 403],
  ['S63 foreign Referer alone', { referer: 'https://evil.example/page' }, 403],
  ['S63 same origin', { 'sec-fetch-site': 'same-origin' }, 401],
  ['S63 no browser', {}, 401],
])('%s: POST /user answers %j with %i', async (_name, headers, status) => {
  expect((await system.client().post('/user', {}, { headers })).status).toBe(status);
});

test('S64 S65 a login cannot be forged by a form of another site', async () => {
  const { user } = await session();
  const form = { raw: `email=${user.email}&password=x`, contentType: 'application/x-www-form-urlencoded' };
  expect((await system.client().post('/login', undefined, form)).status).toBe(415);
  const text = { raw: JSON.stringify({ email: user.email, password }), contentType: 'text/plain' };
  expect((await system.client().post('/login', undefined, text)).status).toBe(415);
  const cross = await system
    .client()
    .post('/login', { email: user.email, password }, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect([cross.status, cross.setCookies]).toEqual([403, []]);
});

test('GET /logout as a subresource of another site ends nothing', async () => {
  const { client } = await session();
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  expect((await client.get('/logout', { headers })).status).toBe(403);
  expect((await client.get('/session')).status).toBe(200);
});

test('S67 a foreign origin is given no CORS leave', async () => {
  const answer = await system.client().get('/health', { headers: { origin: 'https://evil.example' } });
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('S68 a member can neither read, change nor delete another user, existing or not', async () => {
  const mine = await session();
  const other = await session();
  const answers: Answer[] = [];
  for (const id of [other.user.id, 999_999]) {
    answers.push(await mine.client.get(`/user/${id}`));
    answers.push(await mine.client.put(`/user/${id}`, { first_name: 'Mallory' }));
    answers.push(await mine.client.delete(`/user/${id}`));
  }
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'forbidden']));
  expect((await mine.client.get('/user')).status).toBe(403);
  expect((await mine.client.post('/user', { email: 'm@example.com', first_name: 'M', last_name: 'M' })).status).toBe(
    403,
  );
  expect((await mine.client.put(`/user/${mine.user.id}`, { role: 'admin' })).status).toBe(403);
  expect((await other.client.get(`/user/${other.user.id}`)).body.user.first_name).toBe('Grace');
});

test('S71 a body over the limit is 413, and the answer can be read', async () => {
  const answer = await system.client().post('/login', { email: 'a@example.com', password: 'x'.repeat(1_000_000) });
  expect([answer.status, answer.body.code]).toEqual([413, 'body-too-large']);
});

test('S72 only documented methods: others are 405 and named in Allow', async () => {
  for (const [method, path] of [
    ['PATCH', '/user/1'],
    ['DELETE', '/login'],
    ['PUT', '/user'],
    ['POST', '/health'],
    ['HEAD', '/logout'],
    ['HEAD', '/checkout'],
  ] as const) {
    const answer = await system.client().request(method, path);
    expect([method, path, answer.status]).toEqual([method, path, 405]);
    if (method !== 'HEAD') expect(answer.body.code).toBe('method-not-allowed');
    expect(answer.headers.get('allow')).toEqual(expect.any(String));
  }
  expect((await system.client().get('/no/such/path')).status).toBe(404);
  const broken = await system.client().post('/login', undefined, { raw: '{"email":' });
  expect([broken.status, broken.body.code]).toEqual([400, 'malformed-json']);
  expect(broken.text).not.toMatch(/at .*\.(js|ts):/);
});

test('the last active admin stays, whoever asks', async () => {
  const own = await startSystem();
  try {
    const admin = await own.admin();
    const { user } = (await admin.get('/session')).body;
    expect((await admin.delete(`/user/${user.id}`)).body.code).toBe('last-admin');
    expect((await admin.put(`/user/${user.id}`, { role: 'member' })).body.code).toBe('last-admin');
  } finally {
    await own.stop();
  }
});

test('USER_ACCESS=any-session lets any valid cookie do all five, as the contract’s bare reading says', async () => {
  const own = await startSystem({ USER_ACCESS: 'any-session' });
  try {
    const member = await own.loggedIn(await own.givenUser({ password }));
    const created = await member.post('/user', { email: 'x@example.com', first_name: 'X', last_name: 'Y', password });
    const { id } = created.body.user;
    const answers = [
      await member.get(`/user/${id}`),
      await member.get('/user'),
      await member.put(`/user/${id}`, { last_name: 'Z' }),
      await member.delete(`/user/${id}`),
    ];
    expect([created.status, ...answers.map(({ status }) => status)]).toEqual([201, 200, 200, 200, 200]);
    expect((await new ApiClient(own.url).get('/user')).status).toBe(401);
  } finally {
    await own.stop();
  }
});
