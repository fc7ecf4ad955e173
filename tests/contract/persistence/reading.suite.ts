import { type Model, Schema, Types } from 'mongoose';
import { type Subject, uniqueName } from './subject';

interface Person {
  _id: string;
  name?: string | null;
  age?: number | null;
  city?: string;
  address?: { street?: string | null; zip?: number };
  tags?: string[];
  orders?: { id: string; total: number }[];
  extra?: unknown;
}

const people: Person[] = [
  {
    _id: 'a',
    name: 'Ada',
    age: 36,
    city: 'London',
    address: { street: 'x', zip: 1 },
    tags: ['math', 'poet'],
    orders: [{ id: 'o1', total: 5 }],
  },
  {
    _id: 'b',
    name: 'Bob',
    age: 20,
    city: 'Paris',
    address: { street: null },
    tags: [],
    orders: [
      { id: 'o2', total: 50 },
      { id: 'o3', total: 7 },
    ],
  },
  { _id: 'c', name: 'ada', age: null, city: 'London', address: {} },
  { _id: 'd', name: null, city: 'Paris', tags: ['poet'] },
  { _id: 'e', age: 70, city: 'Rome', name: 'Eve.x', extra: { deep: [1, { x: true }] } },
];

export function describeReading(subject: Subject, deviations: readonly string[]): void {
  describe('reading', () => {
    let Persons: Model<Person>;
    const ids = async (filter: object, sort: Record<string, 1 | -1> = { _id: 1 }) =>
      (await Persons.find(filter).sort(sort).lean()).map((person) => person._id);

    beforeAll(async () => {
      const text = { type: String };
      const schema = new Schema<Person>(
        {
          _id: text,
          name: text,
          age: Number,
          city: text,
          tags: { type: [String], default: undefined },
          address: { type: Schema.Types.Mixed },
          orders: { type: [{ _id: false, id: String, total: Number }], default: undefined },
          extra: Schema.Types.Mixed,
        },
        { minimize: false },
      );
      schema.index({ name: 1 }).index({ age: -1 }).index({ city: 1, age: 1 }).index({ tags: 1 });
      schema.index({ 'orders.id': 1 }).index({ 'orders.total': 1 }).index({ 'address.street': 1 });
      Persons = subject().model<Person>(uniqueName('persons'), schema);
      await Persons.init();
      await Persons.collection.insertMany(people as never);
    });

    const filters: [string, object, string[]][] = [
      ['equality', { name: 'Ada' }, ['a']],
      ['equality is case-sensitive', { name: 'ada' }, ['c']],
      ['null matches null and missing', { name: null }, ['d']],
      ['null matches a missing number', { age: null }, ['c', 'd']],
      ['not null', { name: { $ne: null }, _id: { $gte: 'a' } }, ['a', 'b', 'c', 'e']],
      ['$in', { name: { $in: ['Ada', 'Bob', 'nobody'] } }, ['a', 'b']],
      ['$in with null', { age: { $in: [null, 20] } }, ['b', 'c', 'd']],
      ['$in of nothing', { name: { $in: [] } }, []],
      ['$nin', { _id: { $in: ['a', 'b', 'c'] }, name: { $nin: ['Ada'] } }, ['b', 'c']],
      ['range', { age: { $gt: 20, $lte: 70 } }, ['a', 'e']],
      ['range with both ends open', { age: { $gte: 20, $lt: 36 } }, ['b']],
      ['a range finds only values of its type', { 'address.street': { $gt: 5 } }, []],
      ['compound equality and range', { city: 'London', age: { $gte: 1 } }, ['a']],
      ['compound with a null', { city: 'London', age: null }, ['c']],
      ['anchored pattern', { name: /^Eve\.x/ }, ['e']],
      ['anchored pattern with a class behind', { name: /^B[aeiou]b$/ }, ['b']],
      ['$regex as a string', { name: { $regex: '^Ad' } }, ['a']],
      ['pattern without case beside an indexed field', { city: 'London', name: /^ADA$/i }, ['a', 'c']],
      ['prefix as a range', { name: { $gte: 'Ad', $lt: 'Ae' } }, ['a']],
      ['array contains', { tags: 'poet' }, ['a', 'd']],
      ['array contains each', { tags: { $all: ['poet', 'math'] } }, ['a']],
      ['array contains one of', { tags: { $in: ['math', 'poet'] } }, ['a', 'd']],
      ['array of a length', { _id: { $gte: 'a' }, tags: { $size: 0 } }, ['b']],
      ['field of array elements', { 'orders.id': 'o3' }, ['b']],
      ['two conditions may hold for two elements', { 'orders.id': 'o2', 'orders.total': 7 }, ['b']],
      ['$elemMatch asks both of one element', { orders: { $elemMatch: { id: 'o2', total: 7 } } }, []],
      ['$elemMatch', { orders: { $elemMatch: { id: 'o2', total: { $gt: 10 } } } }, ['b']],
      ['two ends of a range may be met by two elements', { 'orders.total': { $gt: 40, $lt: 10 } }, ['b']],
      ['nested path', { 'address.street': 'x' }, ['a']],
      ['nested null and missing', { 'address.street': null }, ['b', 'c', 'd', 'e']],
      ['$exists false', { tags: { $exists: false }, _id: { $gte: 'a' } }, ['c', 'e']],
      ['$exists true', { tags: { $exists: true }, _id: { $gte: 'a' } }, ['a', 'b', 'd']],
      ['$type', { name: { $type: 'string' } }, ['a', 'b', 'c', 'e']],
      ['$type null', { _id: { $gte: 'a' }, name: { $type: 'null' } }, ['d']],
      ['$not', { _id: { $gte: 'a' }, age: { $not: { $gt: 30 } } }, ['b', 'c', 'd']],
      ['$or of indexed branches', { $or: [{ name: 'Ada' }, { age: 70 }, { tags: 'math' }] }, ['a', 'e']],
      ['$or beside another condition', { city: 'Paris', $or: [{ age: 20 }, { tags: 'poet' }] }, ['b', 'd']],
      ['$and', { $and: [{ city: 'London' }, { age: 36 }] }, ['a']],
      ['$nor', { _id: { $gte: 'a' }, $nor: [{ age: 20 }, { age: 36 }] }, ['c', 'd', 'e']],
      ['$expr on two fields', { _id: { $gte: 'a' }, $expr: { $eq: ['$address.zip', 1] } }, ['a']],
      ['$expr: missing is less than any value', { city: 'Paris', $expr: { $lt: ['$age', 0] } }, ['d']],
      ['inside of Mixed', { _id: { $gte: 'a' }, 'extra.deep.x': true }, ['e']],
    ];
    for (const [name, filter, expected] of filters) {
      const run = deviations.includes(name) ? test.failing : test;
      run(name, async () => {
        expect(await ids(filter)).toEqual(expected);
        expect(await Persons.countDocuments(filter)).toBe(expected.length);
      });
    }

    test('sorts by an index in both directions, null and missing first', async () => {
      expect(await ids({ age: { $gte: 0 } }, { age: 1 })).toEqual(['b', 'a', 'e']);
      expect(await ids({ age: { $gte: 0 } }, { age: -1 })).toEqual(['e', 'a', 'b']);
      expect((await ids({}, { age: 1 })).slice(2)).toEqual(['b', 'a', 'e']);
      expect(await ids({ city: 'London' }, { age: -1 })).toEqual(['a', 'c']);
      expect(await ids({ city: { $in: ['Paris', 'London'] } }, { city: -1, age: -1 })).toEqual(['b', 'd', 'a', 'c']);
    });

    test('sorts what no index sorts', async () => {
      expect(await ids({ city: { $in: ['London', 'Paris', 'Rome'] } }, { name: -1 })).toEqual([
        'c',
        'e',
        'b',
        'a',
        'd',
      ]);
    });

    test('pages by _id, by skip and by limit', async () => {
      const first = await Persons.find().sort({ _id: 1 }).limit(2).lean();
      const second = await Persons.find({ _id: { $gt: first[1]?._id } })
        .sort({ _id: 1 })
        .limit(2)
        .lean();
      expect([...first, ...second].map((person) => person._id)).toEqual(['a', 'b', 'c', 'd']);
      const skipped = await Persons.find().sort({ _id: -1 }).skip(1).limit(2).lean();
      expect(skipped.map((person) => person._id)).toEqual(['d', 'c']);
    });

    test('projects inclusion, exclusion and nested paths', async () => {
      expect(await Persons.findOne({ _id: 'a' }, { name: 1 }).lean()).toEqual({ _id: 'a', name: 'Ada' });
      expect(await Persons.findOne({ _id: 'b' }, { 'orders.total': 1, _id: 0 }).lean()).toEqual({
        orders: [{ total: 50 }, { total: 7 }],
      });
      expect(await Persons.findOne({ _id: 'b' }).select('-orders -address -tags').lean()).toEqual({
        _id: 'b',
        name: 'Bob',
        age: 20,
        city: 'Paris',
      });
    });

    test('findOne gives null, exists and distinct and counts answer', async () => {
      expect(await Persons.findOne({ _id: 'nobody' })).toBeNull();
      expect(await Persons.exists({ name: 'Ada' })).toEqual({ _id: 'a' });
      expect((await Persons.distinct('city', { _id: { $gte: 'a' } })).sort()).toEqual(['London', 'Paris', 'Rome']);
      expect((await Persons.distinct('tags', { _id: 'a' })).sort()).toEqual(['math', 'poet']);
      expect(await Persons.estimatedDocumentCount()).toBe(5);
      expect(await Persons.countDocuments()).toBe(5);
    });

    test('a cursor gives every document once', async () => {
      const seen: string[] = [];
      for await (const person of Persons.find().sort({ _id: 1 }).lean().cursor()) seen.push(person._id);
      expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    test('keeps types', async () => {
      const values = {
        _id: 'types',
        date: new Date('2024-02-29T12:00:00.123Z'),
        old: new Date(-5),
        integer: 7,
        double: 1.5,
        negative: -3,
        big: 2 ** 40,
        text: 'ä\u0000€😀',
        nothing: null,
        id: new Types.ObjectId(),
        bytes: Buffer.from([0, 255, 1]),
        list: [1, [2, { deep: null }], 'x'],
        yes: true,
        empty: {},
        none: [],
        money: { $date: 'not a date', $oid: 'x' },
      };
      await Persons.collection.insertOne(values as never);
      const { bytes, ...rest } = (await Persons.collection.findOne({
        _id: 'types',
      } as never)) as unknown as typeof values & { bytes: { buffer: Buffer } };
      const { bytes: expected, ...others } = values;
      expect(rest).toEqual(others);
      expect(Buffer.from(bytes.buffer)).toEqual(expected);
      await Persons.deleteOne({ _id: 'types' });
    });
  });
}
