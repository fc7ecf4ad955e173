import { Schema } from 'mongoose';
import { type Subject, uniqueName } from './subject';

const duplicate = { code: 11000 };

export function describeIndexes(subject: Subject): void {
  describe('indexes', () => {
    const open = async (...indexes: [Record<string, 1 | -1>, object][]) => {
      const schema = new Schema({ _id: String }, { strict: false, versionKey: false });
      for (const [key, options] of indexes) schema.index(key, options);
      const Model = subject().model(uniqueName('indexed'), schema);
      await Model.init();
      const insert = (document: object) => Model.collection.insertOne(document as never);
      const set = (id: string, change: object) => Model.collection.updateOne({ _id: id } as never, { $set: change });
      return { Model, insert, set };
    };

    test('unique: no two equal values, and missing counts as null', async () => {
      const { insert, set, Model } = await open([{ email: 1 }, { unique: true }]);
      await insert({ _id: '1', email: 'a' });
      await expect(insert({ _id: '2', email: 'a' })).rejects.toMatchObject({
        ...duplicate,
        keyPattern: { email: 1 },
        keyValue: { email: 'a' },
      });
      await insert({ _id: '3' });
      await expect(insert({ _id: '4' })).rejects.toMatchObject(duplicate);
      await expect(insert({ _id: '5', email: null })).rejects.toMatchObject(duplicate);
      await expect(set('3', { email: 'a' })).rejects.toMatchObject(duplicate);
      await set('1', { email: 'b' });
      await set('3', { email: 'a' });
      expect(await Model.countDocuments()).toBe(2);
    });

    test('unique and sparse: missing may repeat, null may not', async () => {
      const { insert, Model } = await open([{ email: 1 }, { unique: true, sparse: true }]);
      await insert({ _id: '1' });
      await insert({ _id: '2' });
      await insert({ _id: '3', email: null });
      await expect(insert({ _id: '4', email: null })).rejects.toMatchObject(duplicate);
      expect(
        (
          await Model.find({ email: null, _id: { $gte: '' } })
            .sort({ _id: 1 })
            .lean()
        ).map((each) => each._id),
      ).toEqual(['1', '2', '3']);
      expect(await Model.countDocuments({ email: { $exists: true } })).toBe(1);
    });

    test('unique and partial: holds for matching documents only', async () => {
      const { insert, set, Model } = await open([
        { email: 1 },
        { unique: true, partialFilterExpression: { active: true } },
      ]);
      await insert({ _id: '1', email: 'a', active: true });
      await insert({ _id: '2', email: 'a', active: false });
      await expect(insert({ _id: '3', email: 'a', active: true })).rejects.toMatchObject(duplicate);
      await expect(set('2', { active: true })).rejects.toMatchObject(duplicate);
      await set('1', { active: false });
      await set('2', { active: true });
      expect((await Model.findOne({ email: 'a', active: true }).lean())?._id).toBe('2');
    });

    test.each([
      ['$exists', { card: { $exists: true } }],
      ['$type', { card: { $type: 'string' } }],
    ])('unique and partial by %s', async (_name, partialFilterExpression) => {
      const { insert, Model } = await open([{ card: 1 }, { unique: true, partialFilterExpression }]);
      await insert({ _id: '1' });
      await insert({ _id: '2' });
      await insert({ _id: '3', card: 'x' });
      await expect(insert({ _id: '4', card: 'x' })).rejects.toMatchObject(duplicate);
      expect((await Model.findOne({ card: 'x' }).lean())?._id).toBe('3');
    });

    test('compound unique', async () => {
      const { insert, Model } = await open([{ owner: 1, name: -1 }, { unique: true }]);
      await insert({ _id: '1', owner: 'a', name: 'x' });
      await insert({ _id: '2', owner: 'a', name: 'y' });
      await insert({ _id: '3', owner: 'b', name: 'x' });
      await insert({ _id: '4', owner: 'a' });
      await expect(insert({ _id: '5', owner: 'a', name: 'x' })).rejects.toMatchObject({
        ...duplicate,
        keyValue: { owner: 'a', name: 'x' },
      });
      await expect(insert({ _id: '6', owner: 'a', name: null })).rejects.toMatchObject(duplicate);
      const names = async (direction: 1 | -1) =>
        (await Model.find({ owner: 'a' }).sort({ name: direction }).lean()).map((each) => each._id);
      expect(await names(1)).toEqual(['4', '1', '2']);
      expect(await names(-1)).toEqual(['2', '1', '4']);
      expect((await Model.find({ owner: 'a', name: { $gt: 'x' } }).lean()).map((each) => each._id)).toEqual(['2']);
    });

    test('unique over array elements: across documents, not within one', async () => {
      const { insert, Model } = await open([{ 'tokens.hash': 1 }, { unique: true, sparse: true }]);
      await insert({ _id: '1', tokens: [{ hash: 'a' }, { hash: 'a' }, { hash: 'b' }] });
      await insert({ _id: '2', tokens: [] });
      await insert({ _id: '3' });
      await expect(insert({ _id: '4', tokens: [{ hash: 'c' }, { hash: 'b' }] })).rejects.toMatchObject(duplicate);
      expect((await Model.findOne({ 'tokens.hash': 'b' }).lean())?._id).toBe('1');
      expect(await Model.countDocuments({ 'tokens.hash': 'c' })).toBe(0);
    });

    test('an index on data that is there; duplicates refuse it', async () => {
      const { insert, Model } = await open();
      await Model.collection.insertMany([
        { _id: '1', a: 1 },
        { _id: '2', a: 2 },
        { _id: '3', a: [3, 4] },
      ] as never);
      expect(await Model.collection.createIndex({ a: 1 }, { unique: true })).toBe('a_1');
      expect((await Model.findOne({ a: 4 }).lean())?._id).toBe('3');
      await expect(insert({ _id: '4', a: 2 })).rejects.toMatchObject(duplicate);
      await Model.collection.insertMany([
        { _id: '5', b: 1, a: 5 },
        { _id: '6', b: 1, a: 6 },
      ] as never);
      await expect(Model.collection.createIndex({ b: 1 }, { unique: true })).rejects.toMatchObject(duplicate);
      expect((await Model.listIndexes()).map((index) => index.name).sort()).toEqual(['_id_', 'a_1']);
    });

    test('making an index again is nothing, with other options an error; it can be dropped', async () => {
      const { Model } = await open([{ a: 1 }, { unique: true }]);
      expect(await Model.collection.createIndex({ a: 1 }, { unique: true })).toBe('a_1');
      await expect(
        Model.collection.createIndex({ a: 1 }, { unique: true, expireAfterSeconds: 5, name: 'a_1' }),
      ).rejects.toMatchObject({ code: expect.any(Number) });
      await Model.collection.dropIndex('a_1');
      expect((await Model.listIndexes()).map((index) => index.name)).toEqual(['_id_']);
      await expect(Model.collection.dropIndex('a_1')).rejects.toMatchObject({ code: 27 });
    });
  });
}
