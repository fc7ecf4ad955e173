import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineEndpoint } from '@latchkey/contracts';
import { z } from 'zod';
import { systemClock } from '../clock.js';
import { systemContext } from '../system-context.js';
import { httpTransport } from './http-transport.js';

const base = {
  path: '/thing',
  summary: 'test',
  tag: 'test',
  access: 'service',
  success: { status: 200, description: 'ok', body: z.object({ n: z.number() }) },
  refusals: [],
} as const;
const read = defineEndpoint({ ...base, method: 'GET' });
const write = defineEndpoint({ ...base, method: 'POST', body: z.strictObject({}) });

let server: Server;
let answer: RequestListener;
let hits: number;
let transport: ReturnType<typeof httpTransport>;

const transportTo = (...ports: number[]) =>
  httpTransport({
    baseUrls: ports.map((port) => `http://127.0.0.1:${port}/base/`),
    caller: 'gateway',
    audience: 'auth',
    secret: 'a secret',
    clock: systemClock,
    connections: 1,
  });
const reading = (timeout?: number) => transport.call(read, {}, systemContext({ clock: systemClock, timeout }));
const writing = () => transport.call(write, { body: {} }, systemContext({ clock: systemClock }));

beforeEach(async () => {
  hits = 0;
  answer = (_request, response) => response.end('{"n":1}');
  server = createServer((request, response) => {
    hits += 1;
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  transport = transportTo((server.address() as AddressInfo).port);
});
afterEach(async () => {
  server.closeAllConnections();
  await transport.stop();
  await new Promise((resolve) => server.close(resolve));
});

test('the path stands below the base address, and one connection serves many calls', async () => {
  const ports = new Set<unknown>();
  const paths = new Set<unknown>();
  answer = (request, response) => {
    ports.add(request.socket.remotePort);
    paths.add(request.url);
    response.end('{"n":1}');
  };
  for (let i = 0; i < 5; i += 1) expect(await reading()).toEqual({ n: 1 });
  expect([ports.size, [...paths]]).toEqual([1, ['/base/thing']]);
});

test('F8 a service that refuses connections is service-unavailable', async () => {
  const gone = transportTo(1);
  const call = gone.call(read, {}, systemContext({ clock: systemClock }));
  await expect(call).rejects.toMatchObject({ code: 'service-unavailable', cause: { code: 'ECONNREFUSED' } });
  await gone.stop();
});

test('F1 a connection that dies is tried once more for a read, never for a write', async () => {
  const dieOnce = (): RequestListener => {
    let died = false;
    return (request, response) => {
      if (died) return response.end('{"n":2}');
      died = true;
      return request.socket.destroy();
    };
  };
  await reading();
  answer = dieOnce();
  expect(await reading()).toEqual({ n: 2 });
  answer = dieOnce();
  await expect(writing()).rejects.toMatchObject({ code: 'service-unavailable' });
  answer = (request) => request.socket.destroy();
  hits = 0;
  await expect(reading()).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(hits).toBe(2);
});

test.each([
  ['no head of an answer', (() => {}) as RequestListener],
  ['half a body', ((_request, response) => response.write('{"n"')) as RequestListener],
])('F9 a service that gives %s is given up at the deadline', async (_name, silent) => {
  answer = silent;
  const started = performance.now();
  await expect(reading(0.1)).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(performance.now() - started).toBeLessThan(2000);
});

test('calls that wait for a connection keep their deadline too', async () => {
  answer = () => {};
  const calls = Array.from({ length: 5 }, () => reading(0.1).catch((error) => error.code));
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['service-unavailable']));
});

test.each([
  ['a page of a proxy', 502, '<h1>Bad Gateway</h1>', 'service-unavailable'],
  ['a redirect', 302, '', 'service-unavailable'],
  ['a problem without our code', 400, '{"type":"about:blank","title":"no","status":400}', 'service-unavailable'],
  ['a success that is no JSON', 200, 'fine', 'internal-error'],
  ['a success of another shape', 200, '{"n":"one"}', 'internal-error'],
])('%s is not taken for an answer', async (_name, status, text, code) => {
  answer = (_request, response) => response.writeHead(status).end(text);
  await expect(reading()).rejects.toMatchObject({ code });
});

test('a service token that the other side rejects is our fault, not the client’s', async () => {
  answer = (_request, response) =>
    response.writeHead(401).end(
      JSON.stringify({
        type: '/errors/service-token-rejected',
        title: 'x',
        status: 401,
        detail: 'x',
        code: 'service-token-rejected',
        request_id: 'request-0001',
      }),
    );
  await expect(reading()).rejects.toMatchObject({ code: 'service-unavailable', status: 503 });
});

/** Instances beside the usual one, in the order in which a transport to all of them lists them after it. */
async function anotherInstance(listener: RequestListener): Promise<Server> {
  const other = createServer((request, response) => {
    request.resume();
    listener(request, response);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  others.push(other);
  return other;
}
const others: Server[] = [];
const portOf = (listening: Server) => (listening.address() as AddressInfo).port;
afterEach(async () => {
  for (const other of others.splice(0)) {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  }
});
const writeBy = (one: ReturnType<typeof httpTransport>) =>
  one.call(write, { body: {} }, systemContext({ clock: systemClock }));

test('F36 two instances are asked in turn', async () => {
  let otherHits = 0;
  const other = await anotherInstance((_request, response) => {
    otherHits += 1;
    response.end('{"n":2}');
  });
  const both = transportTo(portOf(server), portOf(other));
  for (let i = 0; i < 10; i += 1) await writeBy(both);
  expect([hits, otherHits]).toEqual([5, 5]);
  await both.stop();
});

test('F36 what an instance cannot have begun goes to the other one, a write too', async () => {
  const starting = await anotherInstance((_request, response) =>
    response.writeHead(503, { 'latchkey-not-serving': 'starting' }).end('{}'),
  );
  const all = transportTo(1, portOf(starting), portOf(server));
  for (let i = 0; i < 6; i += 1) expect(await writeBy(all)).toEqual({ n: 1 });
  expect(hits).toBe(6);
  await all.stop();
});

test('F36 a write that an instance may have begun is not sent to the other one; a read is', async () => {
  const broken = await anotherInstance((request) => request.socket.destroy());
  const both = transportTo(portOf(server), portOf(broken));
  const outcomes: unknown[] = [];
  for (let i = 0; i < 4; i += 1) outcomes.push(await writeBy(both).catch((error) => error.code));
  expect(outcomes.filter((outcome) => outcome === 'service-unavailable')).toHaveLength(2);
  expect(hits).toBe(2);
  for (let i = 0; i < 4; i += 1) {
    expect(await both.call(read, {}, systemContext({ clock: systemClock }))).toEqual({ n: 1 });
  }
  await both.stop();
});

test('F36 a GET that changes something is no read', async () => {
  const change = defineEndpoint({ ...base, method: 'GET', changesState: true });
  answer = (request) => request.socket.destroy();
  const call = transport.call(change, {}, systemContext({ clock: systemClock }));
  await expect(call).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(hits).toBe(1);
});

test('F36 when every instance is starting, the answer of the last one tells when to come back', async () => {
  answer = (_request, response) =>
    response.writeHead(503, { 'latchkey-not-serving': 'starting' }).end(
      JSON.stringify({
        type: '/errors/service-unavailable',
        title: 'x',
        status: 503,
        detail: 'The service is starting',
        code: 'service-unavailable',
        request_id: 'request-0001',
        retry_after: 1,
      }),
    );
  await expect(writing()).rejects.toMatchObject({ message: 'The service is starting', retryAfter: 1 });
});
