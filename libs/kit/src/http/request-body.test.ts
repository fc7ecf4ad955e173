import { gzipSync } from 'node:zlib';
import { jsonHeaders, serveApp } from './endpoint-router.fixture.js';

const app = serveApp();
const { post } = app;

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/jsonp', 415],
  ['application/json; charset=latin1', 415],
  ['application/json; charset=utf-8', 201],
  ['Application/JSON;charset="UTF-8"', 201],
])('S65 a body of type %s is %i', async (type, status) => {
  expect((await post('{"email":"x"}', { 'content-type': type })).status).toBe(status);
});

test('S65 a compressed body is 415', async () => {
  const body = new Uint8Array(gzipSync('{"email":"x"}'));
  expect((await post(body, { ...jsonHeaders, 'content-encoding': 'gzip' })).status).toBe(415);
});

test.each([
  ['broken JSON', Buffer.from('{"email":'), 'malformed-json'],
  ['a byte order mark', Buffer.from('\ufeff{"email":"x"}'), 'malformed-json'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'malformed-json'],
  ['UTF-16', Buffer.from('{"email":"x"}', 'utf16le'), 'malformed-json'],
  ['a field too many', Buffer.from('{"email":"x","role":"admin"}'), 'validation-failed'],
  ['a nested __proto__', Buffer.from('{"email":{"__proto__":{}}}'), 'validation-failed'],
  ['an escaped __proto__', Buffer.from('{"email":"x","\\u005f_proto__":{}}'), 'validation-failed'],
  ['null', Buffer.from('null'), 'validation-failed'],
  ['deep nesting', Buffer.from('['.repeat(499) + ']'.repeat(499)), 'validation-failed'],
])('P24 S72 a body with %s is 400', async (_name, body, code) => {
  const answer = await post(new Uint8Array(body));
  expect([answer.status, answer.body.code]).toEqual([400, code]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
});

test('P24 a missing body is validation-failed and no throw', async () => {
  for (const headers of [{}, jsonHeaders])
    expect((await app.call('POST', '/user', { headers })).body).toMatchObject({
      code: 'validation-failed',
      errors: [{ path: 'body', message: 'is required' }],
    });
  expect((await app.call('GET', '/user/7', { headers: jsonHeaders })).status).toBe(200);
});

test('S71 a body over the limit is 413 and the client can read the answer, on the same connection', async () => {
  const body = JSON.stringify({ email: 'x'.repeat(1_000_000) });
  expect((await post(body)).body).toMatchObject({ code: 'body-too-large', status: 413 });
  const bytes = `POST /user HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(2000)}`;
  const answer = await app.raw(`${bytes}GET /user/7 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('S71 real bytes count: a chunked body over the limit is 413, one below it is read', async () => {
  const chunked = (size: number) => {
    const body = `{"email":"${'x'.repeat(size)}"}`;
    const headers = 'POST /user HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    return `${headers}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  };
  expect(await app.raw(chunked(2000))).toContain('HTTP/1.1 413');
  expect(await app.raw(chunked(500))).toContain('HTTP/1.1 201');
});

test('P18 a raw endpoint gets the body byte for byte, of any type, with its own limit', async () => {
  const body = new Uint8Array([0xff, 0x00, 0x7b]);
  const answer = await app.call('POST', '/webhook', { body, headers: { 'content-type': 'text/plain' } });
  expect(answer.body).toEqual({ hex: 'ff007b' });
  expect((await app.call('POST', '/webhook', { body: 'x'.repeat(4000) })).status).toBe(200);
  expect((await app.call('POST', '/webhook', { body: 'x'.repeat(6000) })).status).toBe(413);
  expect((await app.call('POST', '/webhook')).body).toEqual({ hex: '' });
});
