import { type Model, Schema } from 'mongoose';
import { type Subject, uniqueName } from './subject';

interface Account {
  _id: string;
  email?: string;
  state?: string;
  attempts?: number;
  profile?: Record<string, unknown>;
  [other: string]: unknown;
}

export function describeWriting(subject: Subject): void {
  describe('writing', () => {
    let Accounts: Model<Account>;
    const stored = (id: string) => Accounts.collection.findOne({ _id: id } as never);

    beforeAll(async () => {
      const schema = new Schema<Account>({ _id: String }, { strict: false, versionKey: false });
      schema.index({ email: 1 }, { unique: true, sparse: true }).index({ state: 1, attempts: 1 });
      Accounts = subject().model<Account>(uniqueName('accounts'), schema);
      await Accounts.init();
    });
    beforeEach(() => Accounts.deleteMany({}));

    const insert = (document: Account) => Accounts.collection.insertOne(document as never);
    const update = (id: string, change: object, options: object = {}) =>
      Accounts.collection.updateOne({ _id: id } as never, change as never, options);

    test('inserts one and many', async () => {
      expect(await insert({ _id: '1', email: 'a' })).toMatchObject({ acknowledged: true, insertedId: '1' });
      expect(await Accounts.collection.insertMany([{ _id: '2' }, { _id: '3' }] as never)).toMatchObject({
        insertedCount: 2,
      });
      await expect(insert({ _id: '1' })).rejects.toMatchObject({
        code: 11000,
        keyPattern: { _id: 1 },
        keyValue: { _id: '1' },
      });
      expect(await Accounts.countDocuments()).toBe(3);
    });

    test('insertMany stops at the first failure, or goes on when unordered', async () => {
      const documents = [{ _id: '1' }, { _id: '1' }, { _id: '2' }];
      await expect(Accounts.collection.insertMany(documents as never)).rejects.toMatchObject({
        code: 11000,
        insertedCount: 1,
      });
      expect(await Accounts.countDocuments()).toBe(1);
      const unordered = Accounts.collection.insertMany([{ _id: '1' }, { _id: '2' }, { _id: '3' }] as never, {
        ordered: false,
      });
      await expect(unordered).rejects.toMatchObject({ code: 11000, insertedCount: 2 });
      expect(await Accounts.countDocuments()).toBe(3);
      const failed = await Accounts.insertMany([{ _id: '3' }, { _id: '4' }], { ordered: false }).catch(
        (error) => error,
      );
      expect(failed.writeErrors).toHaveLength(1);
      expect(failed.insertedDocs).toHaveLength(1);
    });

    test.each<[string, object, object, object]>([
      ['$set', {}, { $set: { a: 1, 'b.c': 2 } }, { a: 1, b: { c: 2 } }],
      ['$set within', { b: { c: 1, d: 1 } }, { $set: { 'b.c': 2 } }, { b: { c: 2, d: 1 } }],
      ['$set in an array position', { l: [1, 2] }, { $set: { 'l.1': 9 } }, { l: [1, 9] }],
      ['$set past the end', { l: [1] }, { $set: { 'l.2': 3 } }, { l: [1, null, 3] }],
      ['$set null', { a: 1 }, { $set: { a: null } }, { a: null }],
      ['$unset', { a: 1, b: { c: 1, d: 1 } }, { $unset: { a: '', 'b.c': 1, x: 1 } }, { b: { d: 1 } }],
      ['$inc', { a: 1 }, { $inc: { a: -3, b: 2, 'c.d': 1 } }, { a: -2, b: 2, c: { d: 1 } }],
      ['$mul', { a: 3 }, { $mul: { a: 2, b: 5 } }, { a: 6, b: 0 }],
      [
        '$min and $max',
        { a: 5, b: 5, c: 5, d: 5 },
        { $min: { a: 3, b: 9, x: 1 }, $max: { c: 9, d: 3, y: 1 } },
        { a: 3, b: 5, c: 9, d: 5, x: 1, y: 1 },
      ],
      ['$rename', { a: 1 }, { $rename: { a: 'b.c', x: 'y' } }, { b: { c: 1 } }],
      [
        '$setOnInsert does nothing to a document that is there',
        { a: 1 },
        { $setOnInsert: { a: 2, b: { c: 1 } }, $set: { d: 1 } },
        { a: 1, d: 1 },
      ],
    ])('%s', async (_name, before, change, after) => {
      await insert({ _id: '1', ...before });
      expect(await update('1', change)).toMatchObject({
        matchedCount: 1,
        modifiedCount: 1,
        upsertedCount: 0,
        upsertedId: null,
      });
      expect(await stored('1')).toEqual({ _id: '1', ...after });
    });

    test.each<[string, object, object, number]>([
      ['$inc on text', { a: 'x' }, { $inc: { a: 1 } }, 14],
      ['a path through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
      ['two operators on one path', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
      ['a path and one below it', {}, { $set: { a: {} }, $inc: { 'a.b': 1 } }, 40],
      ['a change of _id', {}, { $set: { _id: 'other' } }, 66],
      ['$push on a scalar', { a: 1 }, { $push: { a: 1 } }, 2],
    ])('refuses %s and changes nothing', async (_name, before, change, code) => {
      await insert({ _id: '1', ...before });
      await expect(update('1', change)).rejects.toMatchObject({ code });
      expect(await stored('1')).toEqual({ _id: '1', ...before });
    });

    test('tells matched from modified', async () => {
      await insert({ _id: '1', a: 1 });
      expect(await update('1', { $set: { a: 1 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
      expect(await update('none', { $set: { a: 1 } })).toMatchObject({ matchedCount: 0, modifiedCount: 0 });
    });

    test('upserts from the filter and the update', async () => {
      const result = await Accounts.collection.updateOne(
        { _id: 'u', 'profile.kind': 'x', state: { $eq: 's' }, attempts: { $gt: 5 } } as never,
        { $set: { a: 1 }, $setOnInsert: { made: true }, $inc: { n: 2 } },
        { upsert: true },
      );
      expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 'u' });
      expect(await stored('u')).toEqual({ _id: 'u', profile: { kind: 'x' }, state: 's', a: 1, made: true, n: 2 });
      expect(await update('u', { $setOnInsert: { made: false }, $inc: { n: 1 } }, { upsert: true })).toMatchObject({
        matchedCount: 1,
        upsertedId: null,
      });
      expect(await stored('u')).toMatchObject({ made: true, n: 3 });
    });

    test('an upsert whose condition fails on a document that is there answers 11000', async () => {
      await insert({ _id: '1', attempts: 9 });
      const claim = Accounts.collection.updateOne(
        { _id: '1', attempts: { $lt: 5 } } as never,
        { $set: { a: 1 } },
        { upsert: true },
      );
      await expect(claim).rejects.toMatchObject({ code: 11000 });
    });

    test('updateMany changes all that match', async () => {
      await Accounts.collection.insertMany(
        ['1', '2', '3'].map((_id, at) => ({ _id, state: at < 2 ? 'x' : 'y', attempts: at })) as never,
      );
      expect(await Accounts.updateMany({ state: 'x' }, { $inc: { attempts: 10 } })).toMatchObject({
        matchedCount: 2,
        modifiedCount: 2,
      });
      expect(await Accounts.updateMany({}, { $set: { state: 'z' } })).toMatchObject({
        matchedCount: 3,
        modifiedCount: 3,
      });
      expect((await Accounts.find({ state: 'z' }).sort({ attempts: 1 }).lean()).map((each) => each.attempts)).toEqual([
        2, 10, 11,
      ]);
    });

    test('findOneAndUpdate gives the document before or after, sorted and projected', async () => {
      await Accounts.collection.insertMany(
        ['1', '2'].map((_id, at) => ({ _id, state: 'x', attempts: 5 - at })) as never,
      );
      const first = { sort: { attempts: 1 } as const };
      expect(await Accounts.findOneAndUpdate({ state: 'x' }, { $inc: { attempts: 1 } }, first).lean()).toMatchObject({
        _id: '2',
        attempts: 4,
      });
      const after = await Accounts.findOneAndUpdate(
        { _id: '2' },
        { $set: { a: 1 } },
        { returnDocument: 'after', projection: { attempts: 1 } },
      ).lean();
      expect(after).toEqual({ _id: '2', attempts: 5 });
      expect(await Accounts.findOneAndUpdate({ _id: 'none' }, { $set: { a: 1 } })).toBeNull();
      expect(await Accounts.findOneAndUpdate({ _id: 'new' }, { $set: { a: 1 } }, { upsert: true }).lean()).toBeNull();
      const upserted = Accounts.findOneAndUpdate(
        { _id: 'new2' },
        { $set: { a: 1 } },
        { upsert: true, returnDocument: 'after' },
      ).lean();
      expect(await upserted).toEqual({ _id: 'new2', a: 1 });
      const full = await Accounts.findOneAndUpdate(
        { _id: 'new2' },
        { $set: { a: 2 } },
        { includeResultMetadata: true, lean: true },
      );
      expect(full).toMatchObject({ value: { _id: 'new2', a: 1 }, lastErrorObject: { n: 1, updatedExisting: true } });
    });

    test('deletes one, many, and gives back what it deleted', async () => {
      await Accounts.collection.insertMany(
        ['1', '2', '3', '4'].map((_id, at) => ({ _id, state: 'x', attempts: at })) as never,
      );
      expect(await Accounts.deleteOne({ state: 'x' })).toEqual({ acknowledged: true, deletedCount: 1 });
      expect(await Accounts.findOneAndDelete({ state: 'x' }, { sort: { attempts: -1 } }).lean()).toMatchObject({
        _id: '4',
      });
      expect(await Accounts.deleteMany({ state: 'x' })).toMatchObject({ deletedCount: 2 });
      expect(await Accounts.findOneAndDelete({ state: 'x' })).toBeNull();
      expect(await Accounts.deleteMany({ state: 'x' })).toMatchObject({ deletedCount: 0 });
    });

    test('replaceOne keeps the _id', async () => {
      await insert({ _id: '1', a: 1, b: 2 });
      expect(await Accounts.collection.replaceOne({ _id: '1' } as never, { c: 3 } as never)).toMatchObject({
        matchedCount: 1,
        modifiedCount: 1,
      });
      expect(await stored('1')).toEqual({ _id: '1', c: 3 });
    });

    test('bulkWrite counts each kind and reports what failed', async () => {
      const result = await Accounts.bulkWrite([
        { insertOne: { document: { _id: '1', state: 'x' } } },
        { updateOne: { filter: { _id: '1' }, update: { $set: { a: 1 } } } },
        { updateOne: { filter: { _id: '2' }, update: { $set: { a: 1 } }, upsert: true } },
        { deleteOne: { filter: { _id: '1' } } },
      ]);
      expect(result).toMatchObject({
        insertedCount: 1,
        matchedCount: 1,
        modifiedCount: 1,
        upsertedCount: 1,
        deletedCount: 1,
        upsertedIds: { 2: '2' },
      });
      const failing = Accounts.bulkWrite(
        [{ insertOne: { document: { _id: '2' } } }, { insertOne: { document: { _id: '3' } } }],
        { ordered: false },
      );
      await expect(failing).rejects.toMatchObject({ code: 11000 });
      expect(await stored('3')).toEqual({ _id: '3' });
    });

    test('what was changed is found by its new values only', async () => {
      await insert({ _id: '1', email: 'old@x', state: 'x', attempts: 1 });
      await update('1', { $set: { email: 'new@x' }, $unset: { state: 1 } });
      expect(await Accounts.findOne({ email: 'old@x' })).toBeNull();
      expect(await Accounts.findOne({ email: 'new@x' }).lean()).toMatchObject({ _id: '1' });
      expect(await Accounts.countDocuments({ state: 'x' })).toBe(0);
    });
  });
}
