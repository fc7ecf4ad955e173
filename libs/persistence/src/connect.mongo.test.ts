import { createServer } from 'node:net';
import { createLogger } from '@latchkey/kit';
import { connectMongo, mongoOptions, withoutCredentials } from './connect.mongo.js';

test('P12 P13 F16 nothing waits for ever, and writes are answered by a majority’s disks', () => {
  expect(mongoOptions('auth')).toMatchObject({
    dbName: 'auth',
    bufferCommands: false,
    serverSelectionTimeoutMS: 5_000,
    socketTimeoutMS: 20_000,
    writeConcern: { w: 'majority', journal: true },
  });
});

test.each([
  ['mongodb://ada:s3cret@db.example:27017/auth?authSource=admin', 'mongodb://db.example:27017/auth'],
  ['mongodb://ada:p@ss@a.example,b.example/?replicaSet=rs', 'mongodb://a.example,b.example/'],
  ['mongodb+srv://ada:s3cret@db.example', 'mongodb+srv://db.example'],
  ['mongodb://db.example:27017', 'mongodb://db.example:27017'],
])('S12 a URI is logged without credentials: %s', (uri, expected) => {
  expect(withoutCredentials(uri)).toBe(expected);
});

test.each(['http://db.example', 'db.example:27017', 'mongodb://', 'mongodb://db.example/?unknownOption=1'])(
  'a URI that cannot be meant is refused at once: %s',
  async (uri) => {
    const logger = createLogger({ service: 'test', level: 'silent' });
    await expect(connectMongo({ uri, dbName: 'auth', logger })).rejects.toThrow();
  },
);

test('P15 F17 a first connect that failed is tried again until the signal aborts, and the log has no password', async () => {
  let connections = 0;
  const lines: string[] = [];
  // Something listens, but it is no MongoDB: each attempt is seen and fails.
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const stop = new AbortController();
  const logger = createLogger({
    service: 'test',
    level: 'debug',
    destination: {
      write(line: string) {
        lines.push(line);
        if (lines.filter((each) => each.includes('cannot be reached yet')).length === 2)
          stop.abort(new Error('enough'));
      },
    },
  });
  const connecting = connectMongo({
    uri: `mongodb://ada:s3cret@127.0.0.1:${port}`,
    dbName: 'auth',
    logger,
    signal: stop.signal,
    overrides: { serverSelectionTimeoutMS: 100 },
  });
  await expect(connecting).rejects.toThrow('enough');
  expect(connections).toBeGreaterThanOrEqual(2);
  expect(lines.join('')).not.toContain('s3cret');
  await new Promise((resolve) => server.close(resolve));
}, 15_000);
