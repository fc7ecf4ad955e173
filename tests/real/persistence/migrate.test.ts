// Indexes as a step of their own, and starts that build none.
import { createLogger } from '@latchkey/kit';
import { connectMongo, missingIndexes, requireIndexes } from '@latchkey/persistence';
import { migrate } from '@latchkey/standalone';
import { userModels } from '@latchkey/user';
import type { Connection } from 'mongoose';
import { uniqueName } from '../../contract/persistence/subject.js';
import { MongodbWire } from '../../support/mongodb-wire.js';

const logger = createLogger({ service: 'test', level: 'silent' });
let server: MongodbWire;
let uri: string;
const opened: Connection[] = [];

beforeAll(async () => {
  server = await MongodbWire.create();
  await server.start();
});
beforeEach(() => {
  uri = `${server.uri}/${uniqueName('migrate')}`;
});
afterEach(() => Promise.all(opened.splice(0).map((connection) => connection.close())));
afterAll(() => server.dispose());

/** The user service's database as a start with BUILD_INDEXES=off opens it. */
async function openUsers() {
  const dbName = `${new URL(uri).pathname.slice(1)}_user`;
  const connection = await connectMongo({ uri, dbName, logger, buildIndexes: false });
  opened.push(connection);
  const { users } = userModels(connection);
  await users.init();
  return { connection, users: users.collection };
}

const run = () => migrate({ uri, logger, production: false });

test('P16 a start that builds no indexes is refused without them, which it names; once they were built it is not', async () => {
  const { connection } = await openUsers();
  await expect(requireIndexes(connection)).rejects.toThrow(/run the migration first .*_user\.users \{"emailKey":1\}/);
  expect((await connection.listCollections()).map(({ name }) => name)).toEqual([]);
  await run();
  await requireIndexes(connection);
});

test('P16 the first run builds the indexes of every service, a second one none', async () => {
  const first = await run();
  expect([...first.keys()].map((name) => name.split('_').at(-1))).toEqual(['auth', 'user', 'payment', 'mailer']);
  for (const [database, built] of first) expect([database, built > 0]).toEqual([database, true]);
  expect([...(await run()).values()]).toEqual([0, 0, 0, 0]);
});

test('P16 data that break a unique index are refused and left as they are; made to differ, the rest is built', async () => {
  const { connection, users } = await openUsers();
  await users.insertMany([1, 2].map((id) => ({ _id: id as never, emailKey: 'ada@example.com' })));
  await expect(run()).rejects.toThrow(/_user\.users: documents break a unique index/);
  expect(await users.countDocuments({ emailKey: 'ada@example.com' })).toBe(2);
  await users.updateOne({ _id: 2 as never }, { $set: { emailKey: 'eve@example.com' } });
  await run();
  expect(await missingIndexes(connection)).toEqual([]);
});

test('P16 an index of other options is never dropped: it is named for a person to decide', async () => {
  const { users } = await openUsers();
  await users.createIndex({ emailKey: 1 });
  await expect(run()).rejects.toThrow(/_user\.users: an index of other options stands in the way; drop it/);
  const kept = (await users.indexes()).find(({ name }) => name === 'emailKey_1');
  expect([kept?.key, kept?.unique ?? false]).toEqual([{ emailKey: 1 }, false]);
});
