import { connect } from 'node:net';
import { createListener, type Listener } from './listener.js';

let listener: Listener;
const seen: (string | undefined)[] = [];
beforeAll(async () => {
  const app = (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
    seen.push(request.url);
    response.end('served');
  };
  listener = createListener({ name: 'test', app, host: '127.0.0.1', port: 0 });
  await listener.start();
});
afterAll(() => listener.stop());
beforeEach(() => {
  seen.length = 0;
});

/** The whole answer to a request written byte for byte. */
function raw(head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

test.each([
  ['no Host', 'GET / HTTP/1.1'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b'],
  ['a URL that is none', 'GET http://[::1/session HTTP/1.1\r\nHost: a'],
  ['a URL without a host', 'GET http:?x HTTP/1.1\r\nHost: a'],
  ['another scheme', 'GET ftp://a/session HTTP/1.1\r\nHost: a'],
  ['an expectation nobody can meet', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 999-x'],
])('S72 a request with %s reaches no application and is refused by a problem document', async (_name, head) => {
  const answer = await raw(head);
  expect(answer).toMatch(/^HTTP\/1\.1 4(00|17) /);
  expect(answer).toMatch(/content-type: application\/problem\+json/i);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toMatchObject({
    status: Number(answer.slice(9, 12)),
    code: 'validation-failed',
    request_id: expect.any(String),
  });
  expect(seen).toEqual([]);
});

test('a target in absolute form is the path it names; HTTP/1.0 needs no Host; an asterisk stays', async () => {
  await raw('GET http://elsewhere.example/user?limit=1 HTTP/1.1\r\nHost: a');
  await raw('GET /health HTTP/1.0');
  await raw('OPTIONS * HTTP/1.1\r\nHost: a');
  expect(seen).toEqual(['/user?limit=1', '/health', '*']);
});
