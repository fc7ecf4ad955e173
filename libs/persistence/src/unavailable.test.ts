import { createServer } from 'node:net';
import { DatabaseUnavailableError } from '@latchkey/embedded';
import { Problem, type Route } from '@latchkey/kit';
import mongoose from 'mongoose';
import { isDuplicateKey } from './duplicate-key.js';
import { guardDatabase, guardRoutes } from './guard-database.js';
import { openBench } from './testing/accounts.js';
import { isUnavailable } from './unavailable.js';

const sqlite = (code: string) => Object.assign(new Error(code), { code });
const server = (code: number) => new mongoose.mongo.MongoServerError({ message: 'x', code });

test.each([
  ['network', new mongoose.mongo.MongoNetworkError('x')],
  ['no server', new mongoose.Error.MongooseServerSelectionError('x')],
  ['closed connection', new mongoose.mongo.MongoNotConnectedError('x')],
  ['closed topology', new mongoose.mongo.MongoTopologyClosedError('x')],
  ['no primary', server(10107)],
  ['stepping down', server(189)],
  ['majority not reached', server(64)],
  ['time limit', server(50)],
  ['embedded', new DatabaseUnavailableError('x')],
  ['locked file', sqlite('SQLITE_BUSY_SNAPSHOT')],
  ['full disk', sqlite('SQLITE_FULL')],
  ['I/O error', sqlite('SQLITE_IOERR_WRITE')],
  ['socket', Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET', syscall: 'write' })],
  [
    'socket that the server has ended',
    Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
  ],
  ['wrapped', new Error('x', { cause: new mongoose.mongo.MongoNetworkError('x') })],
  [
    'network under a bulk write',
    new mongoose.mongo.MongoBulkWriteError(new mongoose.mongo.MongoNetworkError('x'), {} as never),
  ],
])('F15 the database is unavailable: %s', async (_name, error) => {
  expect(isUnavailable(error)).toBe(true);
  const guarded = guardDatabase(async () => {
    throw error;
  });
  await expect(guarded).rejects.toMatchObject({ code: 'service-unavailable', status: 503, cause: error });
});

test.each([
  ['duplicate key', server(11000)],
  ['bad query', server(2)],
  ['a bug', new TypeError('x')],
  ['nothing', null],
  ['a refusal', new Problem('not-found')],
])('other errors pass as they are: %s', async (_name, error) => {
  expect(isUnavailable(error)).toBe(false);
  const guarded = guardDatabase(async () => {
    throw error;
  });
  await expect(guarded).rejects.toBe(error);
});

test('P12 P14 a model without a connection fails at once and counts as unavailable', async () => {
  const instance = new mongoose.Mongoose();
  instance.set('bufferCommands', false);
  const model = instance
    .createConnection()
    .model('Thing', new mongoose.Schema({ name: String }, { autoCreate: false, autoIndex: false }));
  const error = await model.findOne({}).catch((thrown: unknown) => thrown);
  expect(isUnavailable(error)).toBe(true);
});

test('P13 a server that cannot be reached counts as unavailable', async () => {
  const closed = createServer();
  const port = await new Promise<number>((resolve) => {
    closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port));
  });
  await new Promise((resolve) => closed.close(resolve));
  const connection = new mongoose.Mongoose().createConnection();
  const error = await connection
    .openUri(`mongodb://127.0.0.1:${port}`, { serverSelectionTimeoutMS: 50 })
    .catch((thrown: unknown) => thrown);
  expect(isUnavailable(error)).toBe(true);
  await connection.close();
});

test('P16 a duplicate key is told apart', () => {
  expect(isDuplicateKey(server(11000))).toBe(true);
  expect(isDuplicateKey(server(2))).toBe(false);
  expect(isDuplicateKey(undefined)).toBe(false);
});

test('F15 guarded routes answer 503 when the database is away', async () => {
  const bench = await openBench();
  const handler = async () => bench.accounts.findById(1).lean();
  const [guarded] = guardRoutes([{ endpoint: {} as Route['endpoint'], handler }]);
  const call = guarded?.handler as () => Promise<unknown>;
  expect(await call()).toBeNull();
  await bench.close();
  await expect(call()).rejects.toMatchObject({ status: 503 });
});
