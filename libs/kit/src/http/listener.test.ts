import http, { Agent, get, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { createListener, type Listener } from './listener.js';

const running: Listener[] = [];
afterEach(async () => {
  for (const listener of running.splice(0)) await listener.stop();
});

async function listen(app: RequestListener, options: Partial<Parameters<typeof createListener>[0]> = {}) {
  const listener = createListener({ name: 'test', app, host: '127.0.0.1', port: 0, ...options });
  await listener.start();
  running.push(listener);
  return listener;
}

test('a port that is taken fails the start', async () => {
  const { port } = await listen(() => {});
  const second = createListener({ name: 'second', app: () => {}, host: '127.0.0.1', port });
  await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await second.stop();
});

test('F6 a stop does not wait for idle kept-alive connections', async () => {
  const listener = await listen((_request, response) => response.end('ok'), { stopLimit: 60 });
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve) => {
    get({ port: listener.port, agent }, (response) => response.resume().once('end', resolve));
  });
  await listener.stop();
  agent.destroy();
});

test('F6 a connection whose answer had begun before the stop is closed once the answer is whole', async () => {
  let end = () => {};
  const listener = await listen(
    (_request, response) => {
      response.write('half');
      end = () => response.end();
    },
    { stopLimit: 60 },
  );
  const agent = new Agent({ keepAlive: true });
  const whole = new Promise((resolve) => {
    get({ port: listener.port, agent }, (response) => {
      const stopped = listener.stop();
      response.resume().once('end', () => resolve(stopped));
      end();
    });
  });
  await whole;
  agent.destroy();
});

test('F6 what does not end within the limit is cut', async () => {
  const listener = await listen(() => {}, { stopLimit: 0.05 });
  const failed = new Promise<Error>((resolve) => {
    get({ port: listener.port }).once('error', resolve);
  });
  const accepted = new Promise<void>((resolve) => {
    const socket = connect(listener.port, '127.0.0.1', resolve);
    socket.on('error', () => {});
  });
  await accepted;
  await listener.stop();
  expect(await failed).toMatchObject({ code: expect.stringMatching(/ECONNRESET|ECONNREFUSED/) });
});

test('F34 connections past the limit are dropped, those within are served', async () => {
  const listener = await listen((_request, response) => response.end('ok'), { maxConnections: 2 });
  const open = () => connect(listener.port, '127.0.0.1').on('error', () => {});
  const half = open();
  await new Promise((resolve) => half.once('connect', resolve));
  const served = open();
  served.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => served.once('data', resolve));
  const dropped = open();
  await new Promise((resolve) => dropped.once('close', resolve));
  half.destroy();
  served.destroy();
});

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nA: '],
  ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc'],
])('S71 F34 %s that do not arrive in time are 408, and the connection is closed', async (_what, sent) => {
  const arrival = { headersTimeout: 100, requestTimeout: 200, checkEvery: 20 };
  const listener = await listen((request) => void request.resume(), { arrival });
  const answer = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(sent));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received)).on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*application\/problem\+json[\s\S]*"code":"request-timeout"/);
});

test('S71 unless told otherwise, headers have ten seconds and a whole request thirty', async () => {
  const create = jest.spyOn(http, 'createServer');
  await listen(() => {});
  expect(create.mock.calls[0]?.[0]).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 });
  create.mockRestore();
});
