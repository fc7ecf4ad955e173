import { createLogger } from '@latchkey/kit';
import { connectMongo, databaseCheck, guardDatabase, isDuplicateKey } from '@latchkey/persistence';
import { type Connection, type Model, Schema } from 'mongoose';
import { atOnce, uniqueName } from '../../contract/persistence/subject';
import { eventually } from '../../support/eventually';
import { FaultProxy } from '../../support/fault-proxy';
import { MongodbWire } from '../../support/mongodb-wire';

interface Entry {
  _id: string;
  key?: string;
}

const schema = new Schema<Entry>({ _id: String, key: String }, { versionKey: false });
schema.index({ key: 1 }, { unique: true, sparse: true });
const logger = createLogger({ service: 'test', level: 'silent' });
/** What a service promises its callers (F15): an answer within this, be it 503. */
const DEADLINE_MS = 8_000;
const unavailable = { code: 'service-unavailable', status: 503 };

let server: MongodbWire;
const opened: Connection[] = [];
const proxies: FaultProxy[] = [];
/** Ends the connecting of a test that failed: it would go on for ever. */
let over: AbortController;

beforeAll(async () => {
  server = await MongodbWire.create();
  await server.start();
});
beforeEach(() => {
  over = new AbortController();
});
afterEach(async () => {
  over.abort();
  // A test that failed half way must not take the others with it.
  if (!server.running) await server.start();
  for (const connection of opened.splice(0)) await connection.close(true).catch(() => undefined);
  for (const proxy of proxies.splice(0)) await proxy.stop();
});
afterAll(() => server.dispose());

async function open(uri = server.uri, overrides = {}): Promise<{ connection: Connection; Entries: Model<Entry> }> {
  const connection = await connectMongo({
    uri,
    dbName: uniqueName('durability'),
    logger,
    overrides,
    signal: over.signal,
  });
  opened.push(connection);
  const Entries = connection.model<Entry>('Entry', schema);
  await Entries.init();
  return { connection, Entries };
}

async function openThroughProxy(overrides = {}) {
  const proxy = await FaultProxy.to(server.port);
  proxies.push(proxy);
  return { proxy, ...(await open(`mongodb://127.0.0.1:${proxy.port}`, overrides)) };
}

async function timed(work: () => PromiseLike<unknown>): Promise<{ took: number; error: unknown }> {
  const began = performance.now();
  const error = await guardDatabase(work).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { took: performance.now() - began, error };
}

test('P16 after init() a unique index holds: of many equal inserts one succeeds, the others are duplicates', async () => {
  const { Entries } = await open();
  const inserts = await atOnce(20, (index) => Entries.create({ _id: `e${index}`, key: 'same' }));
  const refused = inserts.filter((each) => each.status === 'rejected');
  expect(refused).toHaveLength(19);
  expect(refused.every((each) => isDuplicateKey(each.reason))).toBe(true);
  expect(await Entries.countDocuments({ key: 'same' })).toBe(1);
});

test('P12 F15 on a closed connection a call fails at once, as a 503, instead of being buffered', async () => {
  const { connection, Entries } = await open();
  await connection.close();
  const { took, error } = await timed(() => Entries.findOne({ _id: 'x' }));
  expect(error).toMatchObject(unavailable);
  expect(took).toBeLessThan(1_000);
});

test('P13 F15 after a later disconnect calls fail within the server selection time, all of them, and work again by themselves', async () => {
  const { connection, Entries } = await open();
  const check = databaseCheck(connection);
  expect(await check.run()).toEqual({ status: 'ok' });
  await server.kill();
  const calls = await Promise.all([
    ...Array.from({ length: 30 }, (_, index) => timed(() => Entries.create({ _id: `lost${index}` }))),
    timed(() => Entries.findOne({ _id: 'x' })),
    timed(() => Entries.updateOne({ _id: 'x' }, { $set: { key: 'y' } }, { upsert: true })),
  ]);
  for (const { took, error } of calls) {
    expect(error).toMatchObject(unavailable);
    expect(took).toBeLessThan(DEADLINE_MS);
  }
  expect((await check.run()).status).toBe('down');
  await server.start();
  await eventually('the database again', async () => (await check.run()).status === 'ok', 15_000);
  await Entries.create({ _id: 'after' });
  expect(await Entries.countDocuments({ _id: /^lost/ })).toBe(0);
}, 60_000);

test('P15 F17 a first connect that comes before the server is tried again until the server is there', async () => {
  const late = await MongodbWire.create();
  try {
    const lines: string[] = [];
    const listening = createLogger({
      service: 'test',
      level: 'info',
      destination: { write: (line) => void lines.push(line) },
    });
    const connecting = connectMongo({
      uri: late.uri,
      dbName: 'late',
      logger: listening,
      signal: over.signal,
      overrides: { serverSelectionTimeoutMS: 300 },
    });
    await eventually('a failed attempt', () => lines.some((line) => line.includes('cannot be reached yet')));
    await late.start();
    const connection = await connecting;
    opened.push(connection);
    expect(await databaseCheck(connection).run()).toEqual({ status: 'ok' });
  } finally {
    await late.dispose();
  }
}, 60_000);

test('a server that is no replica set is refused where one is required, with the reason', async () => {
  const connecting = connectMongo({ uri: server.uri, dbName: 'x', logger, requireReplicaSet: true });
  await expect(connecting).rejects.toThrow(/replica set/);
});

test('F15 kill -9 during acknowledged writes loses none of them', async () => {
  const { Entries } = await open(server.uri, { serverSelectionTimeoutMS: 1_000 });
  for (let round = 0; round < 3; round += 1) {
    const acknowledged: string[] = [];
    let writing = true;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; writing; n += 1) {
        const _id = `${round}-${writer}-${n}`;
        const { error } = await timed(() => Entries.create({ _id, key: _id }));
        if (error === undefined) acknowledged.push(_id);
        else expect(error).toMatchObject(unavailable);
      }
    });
    await eventually('a hundred writes', () => acknowledged.length >= 100);
    await server.kill();
    writing = false;
    await Promise.all(writers);
    await server.start();
    await eventually('the database again', () => Entries.exists({ _id: acknowledged[0] }).catch(() => null), 15_000);
    const found = await Entries.find({ _id: { $in: acknowledged } }, { _id: 1 }).lean();
    expect(found).toHaveLength(acknowledged.length);
    const byKey = await Entries.find({ key: { $in: acknowledged } }, { _id: 1 }).lean();
    expect(byKey).toHaveLength(acknowledged.length);
  }
}, 90_000);

test('F16 an answer that never comes is given up after the socket timeout, and asking again shows what became of it', async () => {
  const { proxy, Entries } = await openThroughProxy({ socketTimeoutMS: 500, retryWrites: false, retryReads: false });
  await Entries.create({ _id: 'before' });
  proxy.blackhole('reply');
  const { took, error } = await timed(() => Entries.create({ _id: 'unknown' }));
  expect(error).toMatchObject(unavailable);
  expect(took).toBeLessThan(DEADLINE_MS);
  const { Entries: direct } = await open();
  const elsewhere = direct.db.useDb(Entries.db.name).collection('entries');
  await eventually('the write, which did arrive', () => elsewhere.findOne({ _id: 'unknown' as never }));
  proxy.heal();
  // The caller asks again under the same id: a duplicate, and so it knows that it is done.
  const again = () => Entries.create({ _id: 'unknown' }).catch((thrown: unknown) => thrown);
  await eventually('an answer', async () => isDuplicateKey(await again()), 15_000);
}, 60_000);

test('F15 F16 a server that is frozen takes no more than the socket timeout, and works again when it wakes', async () => {
  const { Entries } = await open(server.uri, { socketTimeoutMS: 500 });
  await Entries.create({ _id: 'before' });
  server.freeze();
  try {
    const calls = await Promise.all(
      Array.from({ length: 30 }, (_, index) => timed(() => Entries.findOne({ _id: `x${index}` }))),
    );
    for (const { took, error } of calls) {
      expect(error).toMatchObject(unavailable);
      expect(took).toBeLessThan(DEADLINE_MS);
    }
  } finally {
    server.thaw();
  }
  await eventually('an answer', () => Entries.exists({ _id: 'before' }).catch(() => null), 15_000);
}, 60_000);

test('F15 connections that are reset are a 503 at most, and are replaced; a slow network only slows down', async () => {
  const { proxy, Entries } = await openThroughProxy();
  await Entries.create({ _id: 'before' });
  proxy.reset();
  await eventually('an answer', async () => {
    const { error } = await timed(() => Entries.updateOne({ _id: 'before' }, { $set: { key: 'after' } }));
    if (error !== undefined) expect(error).toMatchObject(unavailable);
    return error === undefined;
  });
  proxy.latency(50);
  expect(await Entries.findById('before').lean()).toEqual({ _id: 'before', key: 'after' });
});
