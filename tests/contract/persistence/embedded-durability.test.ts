import { openEmbeddedDatabase, sweepExpired } from '@latchkey/embedded';
import Database from 'libsql';
import { Schema } from 'mongoose';
import { databaseFolder, startChild } from './database-files';
import { atOnce } from './subject';

const fileFor = databaseFolder();
const plain = () => new Schema({ _id: String }, { strict: false, versionKey: false });

describe('the embedded database on its file', () => {
  test('a restart keeps documents and indexes', async () => {
    const file = fileFor('restart');
    const schema = () => plain().index({ email: 1 }, { unique: true }).index({ 'outbox.id': 1 });
    const first = await openEmbeddedDatabase({ file });
    const Users = first.model('User', schema());
    await Users.init();
    await Users.collection.insertOne({ _id: '1', email: 'a', outbox: [{ id: 'x' }], at: new Date(5) } as never);
    await first.close();
    await expect(Users.collection.insertOne({ _id: '2' } as never)).rejects.toThrow(/not open/);

    const second = await openEmbeddedDatabase({ file, refuseUnindexedFilters: true });
    expect(await second.collection('users').findOne({ 'outbox.id': 'x' })).toEqual({
      _id: '1',
      email: 'a',
      outbox: [{ id: 'x' }],
      at: new Date(5),
    });
    const Again = second.model('User', schema());
    await Again.init();
    await expect(Again.collection.insertOne({ _id: '2', email: 'a' } as never)).rejects.toMatchObject({ code: 11000 });
    await second.close();
  });

  test('kill -9 in the middle of writes loses none that was answered', async () => {
    const file = fileFor('killed');
    const child = startChild('writer.cjs', file);
    for (let count = 0; count < 200; count++) await child.nextLine();
    child.process.kill('SIGKILL');
    await child.ended;
    const connection = await openEmbeddedDatabase({ file });
    const documents = await connection.collection('entries').find({}).toArray();
    const ids = new Set(documents.map((document) => String(document._id)));
    expect(child.lines.length).toBeGreaterThanOrEqual(200);
    expect(child.lines.filter((id) => !ids.has(id))).toEqual([]);
    const byLane = await Promise.all(
      [0, 1, 2, 3].map((lane) => connection.collection('entries').countDocuments({ lane })),
    );
    expect(byLane.reduce((sum, count) => sum + count)).toBe(documents.length);
    await connection.close();
  });

  test('two processes claim 100 jobs: each job is won once', async () => {
    const file = fileFor('shared');
    const connection = await openEmbeddedDatabase({ file });
    const Jobs = connection.model(
      'Job',
      new Schema({ _id: String, owner: String, claims: Number }, { versionKey: false }),
    );
    await Jobs.init();
    await Jobs.insertMany(Array.from({ length: 100 }, (_, at) => ({ _id: `job${at}`, owner: null, claims: 0 })));
    const children = ['one', 'two'].map((owner) => startChild('claimer.cjs', file, owner, '100'));
    for (const child of children) expect(await child.nextLine()).toBe('ready');
    for (const child of children) child.process.stdin.write('go\n');
    const won = await Promise.all(children.map(async (child) => JSON.parse(await child.nextLine()) as string[]));
    await Promise.all(children.map((child) => child.ended));
    expect(won.flat()).toHaveLength(100);
    expect(new Set(won.flat()).size).toBe(100);
    expect(await Jobs.countDocuments({ claims: 1 })).toBe(100);
    expect(await Jobs.findById('counter').lean()).toMatchObject({ claims: 200 });
    await connection.close();
  });

  test('writes of one moment share a commit, and one that fails takes no other with it', async () => {
    const connection = await openEmbeddedDatabase({ file: fileFor('group') });
    const Entries = connection.model('Entry', plain().index({ key: 1 }, { unique: true }));
    await Entries.init();
    const version = () => connection.getClient() as unknown as { storage: { file: { exec: jest.Mock } } };
    const exec = jest.spyOn(version().storage.file, 'exec');
    const results = await atOnce(50, (at) =>
      Entries.collection.insertOne({ _id: `${at}`, key: at % 10 === 0 ? 'same' : at } as never),
    );
    expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1);
    exec.mockRestore();
    expect(results.filter((each) => each.status === 'rejected')).toHaveLength(4);
    expect(await Entries.countDocuments()).toBe(46);
    expect(await Entries.countDocuments({ key: 'same' })).toBe(1);
    await connection.close();
  });

  test('close waits for the writes that are queued', async () => {
    const file = fileFor('closing');
    const connection = await openEmbeddedDatabase({ file });
    const writes = atOnce(300, (at) => connection.collection('entries').insertOne({ _id: `${at}` } as never));
    await connection.close();
    expect((await writes).every((each) => each.status === 'fulfilled')).toBe(true);
    const again = await openEmbeddedDatabase({ file });
    expect(await again.collection('entries').countDocuments()).toBe(300);
    await again.close();
  });

  test('a full disk fails the writes of that commit and leaves the connection usable', async () => {
    const connection = await openEmbeddedDatabase({ file: fileFor('full') });
    const entries = connection.collection('entries');
    await entries.insertOne({ _id: 'before' } as never);
    const { file } = (
      connection.getClient() as unknown as {
        storage: { file: { exec(sql: string): void; all(sql: string): unknown[][] } };
      }
    ).storage;
    const pages = Number(file.all('PRAGMA page_count')[0]?.[0]);
    file.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const results = await Promise.allSettled([
      entries.insertOne({ _id: 'small' } as never),
      entries.insertOne({ _id: 'large', text: 'x'.repeat(1_000_000) } as never),
    ]);
    for (const each of results)
      expect(each).toMatchObject({ status: 'rejected', reason: { name: 'DatabaseUnavailableError' } });
    expect(await entries.countDocuments()).toBe(1);
    file.exec('PRAGMA max_page_count = 1000000');
    await entries.insertOne({ _id: 'small' } as never);
    expect(await entries.countDocuments()).toBe(2);
    await connection.close();
  });

  test('what another connection does to collections and indexes is seen', async () => {
    const file = fileFor('shared');
    const [one, other] = [await openEmbeddedDatabase({ file }), await openEmbeddedDatabase({ file })];
    const [mine, theirs] = [one.collection('entries'), other.collection('entries')];
    await mine.insertOne({ _id: 'a', key: 1 } as never);
    expect(await theirs.findOne({ _id: 'a' } as never)).toEqual({ _id: 'a', key: 1 });
    await theirs.createIndex({ key: 1 }, { unique: true });
    await expect(mine.insertOne({ _id: 'b', key: 1 } as never)).rejects.toMatchObject({ code: 11000 });
    expect(await mine.findOne({ _id: 'a' } as never)).toEqual({ _id: 'a', key: 1 });
    // Where arrays are known of, two bounds may be met by two elements.
    const bounds = { key: { $gt: 5, $lt: 3 } } as never;
    expect(await mine.find(bounds).toArray()).toEqual([]);
    await theirs.insertOne({ _id: 'list', key: [2, 9] } as never);
    expect(await mine.find(bounds).toArray()).toEqual([{ _id: 'list', key: [2, 9] }]);
    await other.db?.dropCollection('entries');
    expect(await mine.findOne({ _id: 'a' } as never)).toBeNull();
    expect(await mine.updateOne({ _id: 'a' } as never, { $set: { key: 2 } })).toMatchObject({ matchedCount: 0 });
    await theirs.insertOne({ _id: 'a', key: 3 } as never);
    expect(await mine.findOne({ _id: 'a' } as never)).toEqual({ _id: 'a', key: 3 });
    await Promise.all([one.close(), other.close()]);
  });

  test('a lock of another process is waited for without blocking, and reads go on', async () => {
    const file = fileFor('locked');
    const connection = await openEmbeddedDatabase({ file });
    const entries = connection.collection('entries');
    await entries.insertOne({ _id: '1' } as never);
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const write = entries.insertOne({ _id: '2' } as never);
    // The event loop turns while the write waits, and reads answer.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await entries.countDocuments()).toBe(1);
    other.exec('COMMIT');
    await write;
    expect(await entries.countDocuments()).toBe(2);
    other.close();
    await connection.close();
  });

  test('a lock that stays fails the write as unavailable, and the next one succeeds', async () => {
    const file = fileFor('held');
    const connection = await openEmbeddedDatabase({ file });
    const entries = connection.collection('entries');
    await entries.insertOne({ _id: '1' } as never);
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const write = entries.insertOne({ _id: '2' } as never).catch((error: unknown) => error);
      await new Promise((resolve) => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(6_000);
      expect(await write).toMatchObject({ name: 'DatabaseUnavailableError' });
    } finally {
      jest.useRealTimers();
    }
    other.exec('COMMIT');
    await entries.insertOne({ _id: '2' } as never);
    expect(await entries.countDocuments()).toBe(2);
    other.close();
    await connection.close();
  });

  test('what has expired by a TTL index is deleted, by the clock given', async () => {
    let now = new Date('2024-01-01T00:00:00Z');
    const connection = await openEmbeddedDatabase({ file: fileFor('expiry'), clock: () => now });
    const Sessions = connection.model('Session', plain().index({ expiresAt: 1 }, { expireAfterSeconds: 60 }));
    await Sessions.init();
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    const documents = [
      { _id: 'soon', expiresAt: at(0) },
      { _id: 'later', expiresAt: at(3600) },
      { _id: 'never' },
      { _id: 'text', expiresAt: 'soon' },
    ];
    await Sessions.collection.insertMany(documents as never);
    expect(await sweepExpired(connection)).toBe(0);
    now = at(61);
    expect(await sweepExpired(connection)).toBe(1);
    now = at(7200);
    expect(await sweepExpired(connection)).toBe(1);
    const left = await Sessions.find().sort({ _id: 1 }).lean();
    expect(left.map((session) => session._id)).toEqual(['never', 'text']);
    await connection.close();
  });

  test('$$NOW and $currentDate are the clock given', async () => {
    const now = new Date('2030-05-05T05:05:05.005Z');
    const connection = await openEmbeddedDatabase({ file: fileFor('clock'), clock: () => now });
    const entries = connection.collection('entries');
    await entries.insertOne({ _id: '1' } as never);
    await entries.updateOne({ _id: '1' } as never, { $currentDate: { at: true } });
    expect(await entries.findOne({ _id: '1', $expr: { $eq: ['$at', '$$NOW'] } } as never)).toEqual({
      _id: '1',
      at: now,
    });
    await connection.close();
  });
});
