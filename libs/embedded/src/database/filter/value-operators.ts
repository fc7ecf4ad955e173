import { fieldValues } from '../index/field-values.js';
import { compareValues, equalValues, typeByteOf } from '../index/key-order.js';
import { bsonTypeOf, isSubdocument, type StoredDocument } from '../storage/value-types.js';

type Test = (document: StoredDocument) => boolean;
type Operator = (path: string, operand: unknown) => Test;

/** An array matches when it does as a whole or when one of its elements does. */
function some(path: string, matches: (value: unknown) => boolean): Test {
  return (document) =>
    fieldValues(document, path).values.some(
      (value) => matches(value) || (Array.isArray(value) && value.some((item) => matches(item ?? null))),
    );
}

/** Null also stands for a missing field. */
function isEqualTo(operand: unknown): (value: unknown) => boolean {
  if (operand === null || operand === undefined) return (value) => value === null || value === undefined;
  return (value) => value !== undefined && equalValues(value, operand);
}

function isOneOf(operands: unknown): (value: unknown) => boolean {
  if (!Array.isArray(operands)) throw new Error('$in needs an array');
  const tests = operands.map((operand) =>
    operand instanceof RegExp
      ? (value: unknown) => typeof value === 'string' && new RegExp(operand).test(value)
      : isEqualTo(operand),
  );
  return (value) => tests.some((test) => test(value));
}

/** Comparisons find values of the operand's own type only. */
function ordered(accepts: (order: number) => boolean): Operator {
  return (path, operand) =>
    some(path, (value) => {
      if (operand === null) return value === null || value === undefined ? accepts(0) : false;
      if (value === undefined || value === null || typeByteOf(value) !== typeByteOf(operand)) return false;
      if (Number.isNaN(value) || Number.isNaN(operand)) return Object.is(value, operand) && accepts(0);
      return accepts(compareValues(value, operand));
    });
}

const TYPE_TESTS: Record<string, (value: unknown) => boolean> = {
  double: (value) => typeof value === 'number',
  int: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  long: (value) => bsonTypeOf(value) === 'Long' || Number.isInteger(value),
  number: (value) => typeof value === 'number' || bsonTypeOf(value) === 'Long',
  string: (value) => typeof value === 'string',
  object: isSubdocument,
  array: Array.isArray,
  binData: (value) => bsonTypeOf(value) === 'Binary',
  objectId: (value) => bsonTypeOf(value) === 'ObjectId',
  bool: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date,
  null: (value) => value === null,
  regex: (value) => value instanceof RegExp,
};
const TYPE_NUMBERS: Record<number, string> = {
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  16: 'int',
  18: 'long',
};

function ofType(operand: unknown): (value: unknown) => boolean {
  const tests = (Array.isArray(operand) ? operand : [operand]).map((type) => {
    const test = TYPE_TESTS[typeof type === 'number' ? (TYPE_NUMBERS[type] ?? '') : String(type)];
    if (test === undefined) throw new Error(`Unknown type name alias: ${String(type)}`);
    return test;
  });
  return (value) => value !== undefined && tests.some((test) => test(value));
}

const not =
  (test: Test): Test =>
  (document) =>
    !test(document);

/** Query operators on values with MongoDB's semantics; they take the place of mingo's. */
export const valueOperators: Record<string, Operator> = {
  $eq: (path, operand) => some(path, isEqualTo(operand)),
  $ne: (path, operand) => not(some(path, isEqualTo(operand))),
  $in: (path, operand) => some(path, isOneOf(operand)),
  $nin: (path, operand) => not(some(path, isOneOf(operand))),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
  $type: (path, operand) => some(path, ofType(operand)),
  $size: (path, operand) => (document) =>
    fieldValues(document, path).values.some((value) => Array.isArray(value) && value.length === operand),
  $exists: (path, operand) => {
    const exists: Test = (document) => fieldValues(document, path).values.some((value) => value !== undefined);
    return operand ? exists : not(exists);
  },
};
