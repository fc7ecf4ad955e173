import { type Model, Schema } from 'mongoose';
import { type Subject, uniqueName } from './subject';

interface Holder {
  _id: string;
  list?: unknown[];
  outbox?: { id: string; attempts?: number; name?: string }[];
}

export function describeArrays(subject: Subject): void {
  describe('arrays', () => {
    let Holders: Model<Holder>;
    const list = async () => ((await Holders.collection.findOne({ _id: '1' } as never)) as unknown as Holder).list;
    const outbox = async () => ((await Holders.collection.findOne({ _id: '1' } as never)) as unknown as Holder).outbox;
    const update = (change: object, filter: object = {}, options: object = {}) =>
      Holders.collection.updateOne({ _id: '1', ...filter } as never, change as never, options);

    beforeAll(async () => {
      const schema = new Schema<Holder>({ _id: String }, { strict: false, versionKey: false });
      schema.index({ 'outbox.id': 1 });
      Holders = subject().model<Holder>(uniqueName('holders'), schema);
      await Holders.init();
    });
    beforeEach(() => Holders.deleteMany({}));

    test.each<[string, unknown[] | undefined, object, unknown[]]>([
      ['$push', [1], { $push: { list: 2 } }, [1, 2]],
      ['$push makes the array', undefined, { $push: { list: { a: 1 } } }, [{ a: 1 }]],
      ['$push an array as one element', [1], { $push: { list: [2, 3] } }, [1, [2, 3]]],
      ['$push $each', [1], { $push: { list: { $each: [2, 3] } } }, [1, 2, 3]],
      ['$slice keeps the last', [1, 2], { $push: { list: { $each: [3, 4], $slice: -3 } } }, [2, 3, 4]],
      ['$slice keeps the first', [1, 2], { $push: { list: { $each: [3, 4], $slice: 3 } } }, [1, 2, 3]],
      ['$slice of a new array', undefined, { $push: { list: { $each: [1, 2, 3], $slice: -2 } } }, [2, 3]],
      ['$slice to nothing', [1], { $push: { list: { $each: [], $slice: 0 } } }, []],
      ['$position', [1, 2], { $push: { list: { $each: [9], $position: 0 } } }, [9, 1, 2]],
      ['$position from the end', [1, 2], { $push: { list: { $each: [9], $position: -1 } } }, [1, 9, 2]],
      ['$sort', [3, 1], { $push: { list: { $each: [2], $sort: -1 } } }, [3, 2, 1]],
      [
        '$sort by a field',
        [{ n: 2 }],
        { $push: { list: { $each: [{ n: 1 }], $sort: { n: 1 } } } },
        [{ n: 1 }, { n: 2 }],
      ],
      ['$addToSet new', [1], { $addToSet: { list: 2 } }, [1, 2]],
      ['$addToSet present', [{ a: 1 }], { $addToSet: { list: { a: 1 } }, $set: { x: 1 } }, [{ a: 1 }]],
      ['$addToSet $each', [1], { $addToSet: { list: { $each: [1, 2, 2] } } }, [1, 2]],
      ['$pull a value', [1, 2, 1], { $pull: { list: 1 } }, [2]],
      ['$pull by operator', [1, 5, 9], { $pull: { list: { $gte: 5 } } }, [1]],
      ['$pull $in', ['a', 'b', 'c'], { $pull: { list: { $in: ['a', 'c'] } } }, ['b']],
      ['$pull by fields', [{ id: 1, x: 1 }, { id: 2 }], { $pull: { list: { id: 1 } } }, [{ id: 2 }]],
      [
        '$pull by fields with operators',
        [{ id: 1 }, { id: 2 }, { id: 3 }],
        { $pull: { list: { id: { $in: [1, 3] } } } },
        [{ id: 2 }],
      ],
      ['$pullAll', [1, 2, 1, 3], { $pullAll: { list: [1, 3] } }, [2]],
      ['$pop last', [1, 2], { $pop: { list: 1 } }, [1]],
      ['$pop first', [1, 2], { $pop: { list: -1 } }, [2]],
    ])('%s', async (_name, before, change, after) => {
      await Holders.collection.insertOne({ _id: '1', ...(before ? { list: before } : {}) } as never);
      expect(await update(change)).toMatchObject({ matchedCount: 1 });
      expect(await list()).toEqual(after);
    });

    test('$ is the element the filter matched', async () => {
      const events = [{ id: 'a', attempts: 0 }, { id: 'b', attempts: 0 }, { id: 'c' }];
      await Holders.collection.insertOne({ _id: '1', outbox: events } as never);
      await update({ $inc: { 'outbox.$.attempts': 2 } }, { 'outbox.id': 'b' });
      await update({ $set: { 'outbox.$.name': 'x' } }, { outbox: { $elemMatch: { id: 'c' } } });
      expect(await outbox()).toEqual([
        { id: 'a', attempts: 0 },
        { id: 'b', attempts: 2 },
        { id: 'c', name: 'x' },
      ]);
      await expect(update({ $set: { 'outbox.$.name': 'x' } })).rejects.toMatchObject({ code: 2 });
    });

    test('a place in the array, by a filter that names what is there', async () => {
      const events = [{ id: 'a' }, { id: 'b', attempts: 1 }];
      await Holders.collection.insertOne({ _id: '1', outbox: events } as never);
      const note = (id: string) => update({ $inc: { 'outbox.1.attempts': 1 } }, { 'outbox.1.id': id });
      expect(await note('b')).toMatchObject({ matchedCount: 1 });
      expect(await note('a')).toMatchObject({ matchedCount: 0 });
      expect(await outbox()).toEqual([{ id: 'a' }, { id: 'b', attempts: 2 }]);
    });

    test('$[] is every element, $[name] those an array filter matches', async () => {
      await Holders.collection.insertOne({
        _id: '1',
        outbox: [
          { id: 'a', attempts: 1 },
          { id: 'b', attempts: 5 },
        ],
      } as never);
      await update({ $inc: { 'outbox.$[].attempts': 1 } });
      await update(
        { $set: { 'outbox.$[late].name': 'late' } },
        {},
        { arrayFilters: [{ 'late.attempts': { $gt: 3 } }] },
      );
      expect(await outbox()).toEqual([
        { id: 'a', attempts: 2 },
        { id: 'b', attempts: 6, name: 'late' },
      ]);
    });

    test('a document is found by what its array holds now', async () => {
      await Holders.collection.insertOne({ _id: '1', outbox: [{ id: 'a' }, { id: 'b' }] } as never);
      const found = async (id: string) => (await Holders.find({ 'outbox.id': id }).lean()).length;
      expect([await found('a'), await found('b'), await found('c')]).toEqual([1, 1, 0]);
      await update({ $push: { outbox: { id: 'c' } } });
      await update({ $pull: { outbox: { id: 'a' } } });
      expect([await found('a'), await found('b'), await found('c')]).toEqual([0, 1, 1]);
      expect(await Holders.countDocuments({ 'outbox.id': { $in: ['b', 'c'] } })).toBe(1);
    });

    test('a write can be refused once the array is full', async () => {
      await Holders.collection.insertOne({ _id: '1', list: [1, 2] } as never);
      const push = () => update({ $push: { list: 3 } }, { 'list.2': { $exists: false } });
      expect(await push()).toMatchObject({ matchedCount: 1 });
      expect(await push()).toMatchObject({ matchedCount: 0 });
    });
  });
}
