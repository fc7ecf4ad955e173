import { request as httpRequest } from 'node:http';
import { createLogger } from '../logger.js';
import { Problem } from '../problem.js';
import { route } from '../route.js';
import { api, contextOf, eventually, jsonHeaders, serveApp } from './endpoint-router.fixture.js';
import { createEndpointRouter } from './endpoint-router.js';

const app = serveApp();
const { post } = app;

test('a success has the endpoint’s status, JSON, no-store and the request id', async () => {
  const { status, headers, body } = await post('{"email":"a@b.c"}');
  expect([status, body]).toEqual([201, { body: { email: 'a@b.c' } }]);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toBe('request-0001');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('HEAD follows GET, a slash at the end does no harm, the query is parsed', async () => {
  const head = await app.call('HEAD', '/user/7');
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '21']);
  expect((await app.call('GET', '/user/?q=a%20b')).body).toEqual({ query: { q: 'a b' } });
});

test('S72 unknown paths are 404, unknown methods 405 with Allow', async () => {
  expect((await app.call('GET', '/nothing')).body).toMatchObject({ code: 'not-found', request_id: expect.any(String) });
  for (const method of ['PATCH', 'OPTIONS', 'POST']) {
    const { status, headers } = await app.call(method, '/user/7');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT']);
  }
});

test.each(['/user/%E0%A4%A', '/user/%', '/user//', '/user/%zz'])('S68 the malformed path %s is 404', async (path) => {
  expect((await app.call('GET', path)).status).toBe(404);
});

test('S68 a malformed id is 400', async () => {
  expect((await app.call('GET', '/user/1%00')).body).toMatchObject({
    code: 'validation-failed',
    errors: [{ path: 'params.id' }],
  });
});

test('an empty POST to a protected route without a session is 401, before the body is looked at', async () => {
  app.behaviour.authorize = () => Promise.reject(new Problem('session-required'));
  for (const body of ['', '{"unknown":1}', 'not json']) {
    const { status, headers } = await post(body);
    expect(status).toBe(401);
    // S41 a scheme, and none that makes a browser ask for a password
    expect(headers.get('www-authenticate')).toMatch(/^Session /);
  }
});

test('order of refusals: 405 before 413 before 415 before authorize before 400', async () => {
  app.behaviour.authorize = () => {
    throw new Problem('forbidden');
  };
  const huge = 'x'.repeat(2000);
  expect((await app.call('PATCH', '/user', { body: huge })).status).toBe(405);
  expect((await post(huge, { 'content-type': 'text/plain' })).status).toBe(413);
  expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post('x')).status).toBe(403);
  app.behaviour.authorize = () => contextOf();
  expect((await post('x')).status).toBe(400);
  expect(app.behaviour.calls).toBe(0);
});

test('a handler chooses status and headers through its exchange', async () => {
  app.behaviour.onFail = async (_context, exchange) => {
    exchange.status(401);
    exchange.appendHeader('set-cookie', 'a=1');
    exchange.appendHeader('set-cookie', 'b=2');
    exchange.setHeader('cache-control', 'public, max-age=60');
    return { address: exchange.remoteAddress };
  };
  const { status, headers, body } = await app.call('GET', '/fail');
  expect([status, body]).toEqual([401, { address: '127.0.0.1' }]);
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(headers.get('cache-control')).toBe('public, max-age=60');
  expect(headers.get('www-authenticate')).toMatch(/^Session /);
});

test('S72 an unexpected error is logged with its stack and answered without a word of it', async () => {
  app.behaviour.onFail = () => Promise.reject(new Error('the disk is on fire'));
  const { status, text } = await app.call('GET', '/fail');
  expect(status).toBe(500);
  expect(text).not.toContain('fire');
  expect(app.behaviour.lines.join('')).toMatch(/the disk is on fire.*endpoint-router/);
});

test('a 429 and a 503 say when to come back', async () => {
  for (const code of ['rate-limited', 'creation-in-progress'] as const) {
    app.behaviour.onFail = () => Promise.reject(new Problem(code, { limit: 'x', retryAfter: 1.2 }));
    expect((await app.call('GET', '/fail')).headers.get('retry-after')).toBe('2');
  }
});

test('F15 a handler past its deadline is 503, and what it sets afterwards hurts nobody', async () => {
  let late: () => void = () => {};
  app.behaviour.onFail = (_context, exchange) =>
    new Promise((_resolve, reject) => {
      late = () => {
        exchange.setHeader('x-late', '1');
        reject(new Error('late'));
      };
    });
  app.behaviour.authorize = () => contextOf({ deadline: Date.now() + 50 });
  expect((await app.call('GET', '/fail')).body).toMatchObject({ code: 'service-unavailable' });
  expect(late).not.toThrow();
});

test('F34 a client that goes away while it sends or waits breaks nothing', async () => {
  const logged = (part: string) => async () => expect(app.behaviour.lines.join('')).toContain(part);
  const sending = httpRequest({
    port: app.listener.port,
    path: '/user',
    method: 'POST',
    headers: { 'content-length': 9 },
  });
  sending.on('error', () => {});
  sending.write('{', () => sending.destroy());
  await eventually(logged('"aborted":true'));
  expect(app.behaviour.lines.join('')).not.toContain('request failed');
  app.behaviour.lines.length = 0;
  const waiting = httpRequest({ port: app.listener.port, path: '/fail' }).on('error', () => {});
  let finish: (value: Record<string, unknown>) => void = () => {};
  app.behaviour.onFail = () => {
    waiting.destroy();
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  waiting.end();
  await eventually(logged('"aborted":true'));
  finish({});
  expect((await app.call('GET', '/user/7')).status).toBe(200);
});

test('F34 what is no HTTP is 400, too large headers are 431, both as problem documents', async () => {
  expect(await app.raw('NONSENSE\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 [\s\S]*application\/problem\+json[\s\S]*"status":400/,
  );
  expect(await app.raw(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
});

test('errors of other middleware have the same form', async () => {
  expect((await app.call('GET', '/assets/x')).body).toMatchObject({ code: 'validation-failed', status: 400 });
});

test('S26 one access log line a request: pattern, never path, query, body or cookie', async () => {
  await app.call('PUT', '/user/7?token=hunter2', {
    headers: { ...jsonHeaders, cookie: 'access_token=hunter2' },
    body: '{"password":"hunter2"}',
  });
  await eventually(async () => expect(app.behaviour.lines).toHaveLength(1));
  const { time: _time, ms, ...line } = JSON.parse(app.behaviour.lines[0] as string);
  expect(ms).toEqual(expect.any(Number));
  expect(line).toEqual({
    level: 'info',
    service: 'test',
    method: 'PUT',
    route: '/user/:id',
    status: 400,
    requestId: 'request-0001',
    principalId: 7,
    msg: 'request',
  });
});

test('two routes for one operation are a mistake that shows at once', () => {
  const nothing = async () => ({});
  const routes = [route(api.fail, nothing), route(api.fail, nothing)];
  const logger = createLogger({ service: 'test', level: 'silent' });
  expect(() => createEndpointRouter({ routes, bodyLimit: 1, authorize: () => contextOf(), logger })).toThrow(
    'Two routes',
  );
});
