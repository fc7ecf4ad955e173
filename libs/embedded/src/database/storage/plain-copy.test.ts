import { Binary, deserialize, ObjectId, serialize } from 'bson';
import fc from 'fast-check';
import { plainCopy } from './plain-copy.js';

const throughBson = (value: object) => deserialize(serialize(value, { ignoreUndefined: false }));

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 2 ** 31, 2 ** 53, null, undefined, true, false),
  fc.date({ noInvalidDate: true }),
);
const name = fc.oneof(fc.string(), fc.constantFrom('$in', '$ref', '$id', '__proto__', '_bsontype', 'a\0b', '\ud800'));
const document = fc.letrec<{ value: unknown; document: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('document')),
  document: fc.dictionary(name, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Record<string, unknown>>,
})).document;

test('what is copied is what a round through BSON makes of it', () => {
  let copied = 0;
  fc.assert(
    fc.property(document, (value) => {
      const copy = plainCopy(value);
      if (copy === undefined) return;
      copied += 1;
      expect(copy).toStrictEqual(throughBson(value));
    }),
    { numRuns: 2000 },
  );
  expect(copied).toBeGreaterThan(500);
});

class Subdocument {
  name = 'x';
}

test.each<[string, object]>([
  ['an object of a class', { field: new Subdocument() }],
  ['an array of a class', { field: new (class extends Array {})() }],
  ['an id', { field: new ObjectId() }],
  ['bytes', { field: Buffer.from('x') }],
  ['a binary', { field: new Binary() }],
  ['a function', { field: () => true }],
  ['an operator that runs code', { $where: '1' }],
  ['a big integer', { field: 1n }],
  ['a date that is none', { field: new Date(Number.NaN) }],
  ['half a surrogate pair', { field: '\ud800' }],
  ['a map', { field: new Map() }],
])('%s is left to BSON', (_name, value) => {
  expect(plainCopy(value)).toBeUndefined();
});

test('what contains itself is left to BSON, which refuses it', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  expect(plainCopy(circular)).toBeUndefined();
});
