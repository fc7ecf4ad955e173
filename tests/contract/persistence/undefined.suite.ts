import { type Model, Schema } from 'mongoose';
import { type Subject, uniqueName } from './subject';

interface Thing {
  _id: string;
  name?: string | null;
  nested?: { name?: string | null };
}

/** `undefined` is no JSON and no BSON. What becomes of it must not depend on the engine, and least of all may it widen a filter. */
export function describeUndefined(subject: Subject): void {
  describe('undefined', () => {
    let Things: Model<Thing>;
    const stored = (id: string) => Things.collection.findOne({ _id: id } as never);
    const found = async (filter: object) => (await Things.find(filter).sort({ _id: 1 }).lean()).map(({ _id }) => _id);

    beforeAll(async () => {
      const schema = new Schema<Thing>(
        { _id: String, name: String, nested: { type: { _id: false, name: String }, default: undefined } },
        { versionKey: false, minimize: false },
      );
      schema.index({ name: 1 }).index({ 'nested.name': 1 });
      Things = subject().model<Thing>(uniqueName('things'), schema);
      await Things.init();
    });
    beforeEach(async () => {
      await Things.deleteMany({});
      await Things.collection.insertMany([
        { _id: 'a', name: 'Ada', nested: { name: 'x' } },
        { _id: 'b', name: null },
        { _id: 'c' },
      ] as never);
    });

    test.each<[string, object, string[]]>([
      ['a field', { name: undefined }, ['b', 'c']],
      ['a nested field', { 'nested.name': undefined }, ['b', 'c']],
      ['_id', { _id: undefined }, []],
      ['an operator', { name: { $eq: undefined } }, ['b', 'c']],
      ['a member of $in', { name: { $in: [undefined, 'Ada'] } }, ['a', 'b', 'c']],
      ['a branch of $or', { $or: [{ name: undefined }] }, ['b', 'c']],
    ])('in a filter is null, never a condition less: %s', async (_name, filter, expected) => {
      expect(await found(filter)).toEqual(expected);
      expect(await Things.countDocuments(filter)).toBe(expected.length);
    });

    test('in the filter of a write, too', async () => {
      expect(await Things.updateMany({ name: undefined }, { $set: { nested: { name: 'y' } } })).toMatchObject({
        matchedCount: 2,
      });
      expect(await Things.deleteMany({ _id: undefined })).toMatchObject({ deletedCount: 0 });
      expect(await Things.findOneAndUpdate({ _id: undefined }, { $set: { name: 'x' } })).toBeNull();
    });

    test('in what the driver is given to write is null', async () => {
      await Things.collection.insertOne({ _id: 'd', name: undefined, nested: { name: undefined } } as never);
      expect(await stored('d')).toEqual({ _id: 'd', name: null, nested: { name: null } });
      await Things.collection.updateOne({ _id: 'a' } as never, { $set: { name: undefined } });
      expect(await stored('a')).toEqual({ _id: 'a', name: null, nested: { name: 'x' } });
    });

    test('in what a model is given to write is left out', async () => {
      await Things.create({ _id: 'd', name: undefined });
      expect(await stored('d')).toEqual({ _id: 'd' });
      await Things.insertMany([{ _id: 'e', name: undefined }]);
      expect(await stored('e')).toEqual({ _id: 'e' });
      await Things.updateOne({ _id: 'a' }, { $set: { name: undefined, 'nested.name': 'y' } });
      expect(await stored('a')).toEqual({ _id: 'a', name: 'Ada', nested: { name: 'y' } });
    });
  });
}
