import { openEmbeddedDatabase } from '@latchkey/embedded';
import fc from 'fast-check';
import type { Connection } from 'mongoose';
import { databaseFolder } from './database-files';

const fileFor = databaseFolder();

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'a', 'ab', 'a\u0000', 'b', '€', '😀', '\uffff'),
  fc.constantFrom(null, true, false, 0.5, Number.NaN, new Date(0), new Date(5), new Date(-5)),
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.record({ x: scalar }, { requiredKeys: [] }) },
  { weight: 2, arbitrary: fc.array(fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }), { maxLength: 3 }) },
);
const documents = fc.array(fc.record({ a: value, b: value, c: value }, { requiredKeys: [] }), { maxLength: 12 });

const path = fc.constantFrom('a', 'b', 'c', 'a.x', 'b.x', 'c.y');
const condition = fc.oneof(
  scalar,
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $lte: scalar, $ne: scalar }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $type: fc.constantFrom('date', 'string', 'number', 'bool', 'null') }),
  fc.constantFrom(/^a/, /^a.?b/, /b/, { $regex: '^a\u0000' }),
  fc.record({ $elemMatch: fc.record({ $gte: scalar, $lte: scalar }) }),
  fc.record({ $elemMatch: fc.record({ x: scalar }) }),
  fc.record({ $not: fc.record({ $gt: scalar }) }),
);
const simple = fc.dictionary(path, condition, { minKeys: 1, maxKeys: 3 });
const filter = fc.oneof(
  { weight: 4, arbitrary: simple },
  { weight: 1, arbitrary: fc.record({ $or: fc.array(simple, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ $and: fc.array(simple, { minLength: 1, maxLength: 2 }), a: condition }) },
);
const order = fc.dictionary(fc.constantFrom('a', 'b', 'a.x'), fc.constantFrom(1, -1), { maxKeys: 2 });
const change = fc.oneof(
  fc.record({ $set: fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { minKeys: 1 }) }),
  fc.record({ $unset: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constant(1), { minKeys: 1 }) }),
);

const indexes: Record<string, 1 | -1>[] = [
  { a: 1 },
  { b: -1 },
  { a: 1, b: 1 },
  { b: 1, a: -1 },
  { 'a.x': 1, b: 1 },
  { c: 1, 'a.x': -1 },
];

describe('searching by index', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await openEmbeddedDatabase({ file: fileFor('random') });
    const indexed = connection.collection('indexed');
    for (const index of indexes) await indexed.createIndex(index);
    await indexed.createIndex({ c: 1 }, { sparse: true, name: 'sparse' });
    await indexed.createIndex({ b: 1 }, { partialFilterExpression: { a: { $exists: true } }, name: 'partial' });
  });
  afterAll(() => connection.close());

  test('finds what reading everything finds, after whatever was written', async () => {
    const both = [connection.collection('indexed'), connection.collection('plain')] as const;
    const property = fc.asyncProperty(
      documents,
      fc.array(fc.tuple(filter, change), { maxLength: 3 }),
      filter,
      order,
      async (stored, changes, by, sort) => {
        const answers = both.map(async (collection) => {
          await collection.deleteMany({});
          await collection.insertMany(stored.map((fields, at) => ({ _id: at, ...fields })) as never);
          for (const [where, update] of changes) await collection.updateMany(where as never, update as never);
          await collection.deleteOne({ a: 1 });
          const found = await collection.find(by as never, { sort: { ...sort, _id: 1 } as never }).toArray();
          const counted = await collection.countDocuments(by as never);
          return {
            found,
            counted,
            limited: await collection
              .find(by as never, { sort: { ...sort, _id: 1 } as never, skip: 1, limit: 2 })
              .toArray(),
          };
        });
        const [indexed, plain] = await Promise.all(answers);
        expect(indexed).toEqual(plain);
        expect(plain?.counted).toBe(plain?.found.length);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  }, 60_000);
});
