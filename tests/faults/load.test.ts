// What many or slow clients may do to the others: F33 (login storm) and F34 (slow clients, aborted uploads).
import { connect, type Socket } from 'node:net';
import { StandaloneProcess } from '../support/standalone-process.js';

jest.setTimeout(120_000);

let system: StandaloneProcess;
beforeAll(async () => {
  system = await StandaloneProcess.create({ BCRYPT_COST: '10' });
  await system.start();
});
afterAll(() => system.dispose());

test('F33 500 parallel logins are answered or refused clearly, and the others are served meanwhile', async () => {
  const watcher = system.client();
  await watcher.post('/login', system.adminCredentials);
  const storm = Promise.all(Array.from({ length: 500 }, () => system.client().post('/login', system.adminCredentials)));
  let finished = false;
  void storm.finally(() => {
    finished = true;
  });
  let served = 0;
  while (!finished) {
    expect((await watcher.get('/session')).status).toBe(200);
    served += 1;
  }
  const answers = await storm;
  const statuses = new Set(answers.map((answer) => answer.status));
  expect([...statuses].every((status) => [200, 429, 503].includes(status))).toBe(true);
  expect(statuses.has(200)).toBe(true);
  // Turned away at the door, or after waiting as long as anybody would wait for an answer.
  for (const refused of answers.filter((answer) => answer.status === 503)) {
    expect(['overloaded', 'service-unavailable']).toContain(refused.body.code);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(served).toBeGreaterThan(10);
});

test('F34 500 connections that never finish a request keep nobody out', async () => {
  const { hostname, port } = new URL(system.url);
  const sockets: Socket[] = [];
  try {
    await Promise.all(
      Array.from(
        { length: 500 },
        (_, index) =>
          new Promise<void>((resolve) => {
            const socket = connect(Number(port), hostname, () => {
              const body =
                index % 2 === 0
                  ? 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"em'
                  : 'GET /hea';
              socket.write(body, () => resolve());
            });
            socket.on('error', () => resolve());
            sockets.push(socket);
          }),
      ),
    );
    expect((await system.client().get('/health')).status).toBe(200);
    expect((await system.client().post('/login', system.adminCredentials)).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test('F34 uploads broken off in the middle change nothing and stop nothing', async () => {
  const { hostname, port } = new URL(system.url);
  await Promise.all(
    Array.from(
      { length: 100 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname, () => {
            socket.write(
              'POST /reset-password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"email":"root@',
              () => {
                socket.destroy();
              },
            );
          });
          socket.on('close', () => resolve());
          socket.on('error', () => undefined);
        }),
    ),
  );
  expect((await system.client().post('/login', system.adminCredentials)).status).toBe(200);
});
