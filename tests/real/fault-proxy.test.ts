import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { eventually } from '../support/eventually';
import { FaultProxy } from '../support/fault-proxy';

let echo: Server;
let proxy: FaultProxy;
const received: string[] = [];

beforeEach(async () => {
  received.length = 0;
  echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.push(String(chunk));
      socket.write(chunk);
    });
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await FaultProxy.to((echo.address() as AddressInfo).port);
});
afterEach(async () => {
  await proxy.stop();
  await new Promise((resolve) => echo.close(resolve));
});

async function client() {
  const socket: Socket = connect(proxy.port, '127.0.0.1');
  let text = '';
  let ended: string | undefined;
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    ended = error.code;
  });
  socket.on('close', () => {
    ended ??= 'closed';
  });
  await eventually('a connection, or its refusal', () => ended !== undefined || socket.readyState === 'open');
  return { socket, text: () => text, ended: () => ended };
}

test('the proxy passes everything in both directions, also much', async () => {
  const { socket, text } = await client();
  const much = 'x'.repeat(3_000_000);
  socket.write(much);
  await eventually('all of it', () => text().length === much.length);
});

test('a black hole keeps what passes until it is healed', async () => {
  const { socket, text, ended } = await client();
  proxy.blackhole('reply');
  socket.write('one');
  await eventually('the request', () => received.join('') === 'one');
  expect(text()).toBe('');
  proxy.blackhole('request');
  socket.write('two');
  proxy.heal();
  await eventually('both answers', () => text() === 'onetwo');
  expect(ended()).toBeUndefined();
});

test('a cut lets so many bytes through and no more', async () => {
  const { socket, ended } = await client();
  proxy.cutAfter(4, 'request');
  socket.write('one');
  socket.write('two');
  await eventually('the end', ended);
  expect(received.join('')).toBe('onet');
});

test('reset ends open connections, refuse new ones too, until healed', async () => {
  const first = await client();
  proxy.reset();
  expect(await eventually('the reset', first.ended)).toBe('ECONNRESET');
  proxy.refuse();
  const second = await client();
  await eventually('the refusal', second.ended);
  proxy.heal();
  const third = await client();
  third.socket.write('here');
  await eventually('the answer', () => third.text() === 'here');
});

test('latency delays and keeps the order', async () => {
  const { socket, text } = await client();
  proxy.latency(30);
  const began = performance.now();
  for (const part of ['a', 'b', 'c']) socket.write(part);
  await eventually('all', () => text() === 'abc');
  expect(performance.now() - began).toBeGreaterThan(55);
});
