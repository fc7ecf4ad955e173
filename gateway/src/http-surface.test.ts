import { connect } from 'node:net';
import { publicApi } from '@latchkey/contracts';
import type { FakeServices } from './testing/fake-services.js';
import { type GatewayUnderTest, startGateway } from './testing/start-gateway.js';

let gateway: GatewayUnderTest;
let services: FakeServices;
const allowed = 'https://app.example.com';
beforeAll(async () => {
  gateway = await startGateway({ publicUrl: 'https://id.example.com', allowedOrigins: [allowed], rateLimitScale: 100 });
  services = gateway.services;
});
afterAll(() => gateway.stop());

/** Bytes as they are, until the other side closes. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    socket.on('close', () => resolve(received)).on('error', reject);
  });
}

describe('order of refusals', () => {
  const large = 'x'.repeat(200_000);
  const text = { 'content-type': 'text/plain' };
  const crossSite = { 'sec-fetch-site': 'cross-site' };
  const bad = { cookie: 'access_token=junk' };
  const member = () => services.session(7).headers;

  // Each request breaks every rule from its own on; the first one broken is the answer.
  test.each<[string, string, string, () => { headers?: Record<string, string>; body?: unknown }, number, string]>([
    ['path', 'POST', '/nothing', () => ({ body: large, headers: { ...text, ...crossSite, ...bad } }), 404, 'not-found'],
    [
      'method',
      'POST',
      '/user/7',
      () => ({ body: large, headers: { ...text, ...crossSite, ...bad } }),
      405,
      'method-not-allowed',
    ],
    [
      'size',
      'POST',
      '/user',
      () => ({ body: large, headers: { ...text, ...crossSite, ...bad } }),
      413,
      'body-too-large',
    ],
    [
      'content type',
      'POST',
      '/user',
      () => ({ body: '{', headers: { ...text, ...crossSite, ...bad } }),
      415,
      'unsupported-media-type',
    ],
    [
      'cross-site',
      'POST',
      '/user',
      () => ({ body: '{', headers: { ...crossSite, ...bad } }),
      403,
      'cross-site-request',
    ],
    ['session', 'POST', '/user', () => ({ body: '{', headers: bad }), 401, 'session-required'],
    ['session, no body', 'POST', '/user', () => ({}), 401, 'session-required'],
    ['rights', 'POST', '/user/x/invitation', () => ({ headers: member() }), 403, 'forbidden'],
    ['JSON', 'POST', '/user', () => ({ body: '{', headers: member() }), 400, 'malformed-json'],
    ['fields', 'POST', '/user', () => ({ body: {}, headers: member() }), 400, 'validation-failed'],
    ['P24 fields, no body', 'POST', '/login', () => ({}), 400, 'validation-failed'],
    ['query', 'GET', '/user?limit=0', () => ({ headers: member() }), 400, 'validation-failed'],
  ])('%s: %s %s', async (_name, method, path, asked, status, code) => {
    const answer = await gateway.request(method, path, asked());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
  });

  test('every operation that wants a session says 401 without one, and every admin one 403 to a member', async () => {
    for (const { method, path, access } of Object.values(publicApi)) {
      if (access === 'public' || path.startsWith('/webhook-events')) continue;
      const target = path.replace(/:\w+/g, '1');
      expect([path, (await gateway.request(method, target)).status]).toEqual([path, 401]);
      if (access !== 'admin') continue;
      expect([path, (await gateway.request(method, target, { headers: member() })).status]).toEqual([path, 403]);
    }
  });
});

describe('cross-site requests', () => {
  const login = (headers: Record<string, string>, body: unknown = { email: 'a@example.com', password: 'right' }) =>
    gateway.request('POST', '/login', { headers, body });

  test.each<[string, Record<string, string>, number]>([
    ['S63 Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['S63 a foreign Origin without Sec-Fetch-Site', { origin: 'https://evil.test' }, 403],
    ['S63 a foreign Referer alone', { referer: 'https://evil.test/x' }, 403],
    ['S63 Origin null', { origin: 'null' }, 403],
    ['its own page', { 'sec-fetch-site': 'same-origin', origin: 'https://id.example.com' }, 200],
    ['an allowed origin', { 'sec-fetch-site': 'cross-site', origin: allowed }, 200],
    ['no browser', {}, 200],
  ])('S64 a login: %s → %s %i', async (_name, headers, status) => {
    const answer = await login(headers);
    expect(answer.status).toBe(status);
    expect(answer.setCookies).toHaveLength(status === 200 ? 1 : 0);
  });

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', 'application/json-patch+json'])(
    'S64 S65 a form or text that only looks like JSON is 415: %s',
    async (type) => {
      const answer = await login({ 'content-type': type }, '{"email":"a@example.com","password":"right"}');
      expect([answer.status, answer.setCookies]).toEqual([415, []]);
    },
  );

  test('S66 a logout as another site’s image ends nothing; as a link it does', async () => {
    const { headers, id } = services.session();
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    const refused = await gateway.request('GET', '/logout', { headers: { ...headers, ...image } });
    expect([refused.status, refused.body.code, refused.setCookies]).toEqual([403, 'cross-site-request', []]);
    expect(services.standing.has(id)).toBe(true);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await gateway.request('GET', '/logout', { headers: { ...headers, ...link } })).status).toBe(401);
    expect(services.standing.has(id)).toBe(false);
  });
});

describe('headers', () => {
  test('S57 S72 every answer carries them, refusals and broken requests too', async () => {
    const { headers } = services.session();
    for (const answer of [
      await gateway.request('GET', '/session', { headers }),
      await gateway.request('GET', '/logout'),
      await gateway.request('GET', '/nothing'),
      await gateway.request('POST', '/login', { body: '{' }),
      await gateway.request('GET', '/livez'),
    ]) {
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
      expect(answer.headers['x-powered-by']).toBeUndefined();
      const [, seconds, rest] = /^max-age=(\d+)(.*)$/.exec(answer.headers['strict-transport-security'] ?? '') ?? [];
      expect(Number(seconds)).toBeGreaterThanOrEqual(31_536_000);
      expect(rest).toBe('; includeSubDomains');
    }
  });

  test('S72 without https there is no HSTS', async () => {
    const plain = await startGateway();
    expect((await plain.request('GET', '/livez')).headers['strict-transport-security']).toBeUndefined();
    await plain.stop();
  });

  test('S67 an allowed origin is named exactly, with credentials; a foreign one gets nothing; both vary', async () => {
    const { headers } = services.session();
    const own = await gateway.request('GET', '/session', { headers: { ...headers, origin: allowed } });
    expect(own.headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'access-control-allow-credentials': 'true',
    });
    for (const origin of ['https://evil.test', 'null', `${allowed}.evil.test`, 'http://app.example.com']) {
      const foreign = await gateway.request('GET', '/session', { headers: { ...headers, origin } });
      expect(Object.keys(foreign.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(foreign.headers.vary).toBe('Origin, Sec-Fetch-Site');
    }
  });

  test('S67 preflights are answered for an allowed origin only', async () => {
    const asked = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' };
    const own = await gateway.request('OPTIONS', '/user/7', { headers: { ...asked, origin: allowed } });
    expect([own.status, own.headers['access-control-allow-methods']]).toEqual([204, 'GET, POST, PUT, DELETE']);
    const foreign = await gateway.request('OPTIONS', '/user/7', { headers: { ...asked, origin: 'https://evil.test' } });
    expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([405, undefined]);
  });

  test('S72 undocumented methods are 405 with Allow, and metrics are not here', async () => {
    for (const [method, path] of [
      ['PATCH', '/user/7'],
      ['PUT', '/login'],
      ['DELETE', '/health'],
      ['TRACE', '/user'],
    ] as const) {
      const answer = await gateway.request(method, path);
      expect([method, path, answer.status]).toEqual([method, path, 405]);
      expect(answer.headers.allow).toMatch(/[A-Z]/);
    }
    expect((await gateway.request('GET', '/metrics')).status).toBe(404);
  });

  test('POST /user names the new user', async () => {
    const { headers } = services.session(1, 'admin');
    const body = { email: 'new@example.com', first_name: 'A', last_name: 'B' };
    const answer = await gateway.request('POST', '/user', { headers, body });
    expect([answer.status, answer.headers.location]).toEqual([201, '/user/42']);
  });

  test('GET /openapi.json describes every path that is served', async () => {
    const { status, body } = await gateway.request('GET', '/openapi.json');
    expect([status, body.openapi, body.servers]).toEqual([200, '3.1.0', [{ url: 'https://id.example.com' }]]);
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/login', '/user/{id}', '/webhook/{provider}']));
  });

  test('the public keys may be kept for a moment', async () => {
    const answer = await gateway.request('GET', '/.well-known/jwks.json');
    expect([answer.status, answer.headers['cache-control'], answer.body]).toEqual([
      200,
      'public, max-age=60',
      { keys: [services.key.jwk] },
    ]);
  });
});

describe('S71 what is too much', () => {
  test('a 1 MB body is 413, and the answer can be read', async () => {
    const answer = await gateway.request('POST', '/login', {
      body: { email: 'a@example.com', password: 'x'.repeat(1e6) },
    });
    expect([answer.status, answer.body.code]).toEqual([413, 'body-too-large']);
  });

  test('too large a header and broken HTTP are refused in the form of every refusal', async () => {
    const header = await raw(gateway.port, `GET /livez HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(header).toMatch(/^HTTP\/1\.1 431 [\s\S]*application\/problem\+json/);
    const broken = await raw(gateway.port, 'NONSENSE\r\n\r\n');
    expect(broken).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/);
  });

  test('F34 200 half-open connections keep nobody out', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = connect(gateway.port, '127.0.0.1');
        socket.on('error', () => undefined);
        await new Promise((resolve) => socket.once('connect', resolve));
        socket.write('POST /login HTTP/1.1\r\nhost: x\r\ncontent-le');
        return socket;
      }),
    );
    expect((await gateway.request('GET', '/session', { headers: services.session().headers })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
