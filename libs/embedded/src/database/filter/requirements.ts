import { after, type KeyInterval, startingWith } from '../index/key-interval.js';
import { encodeKey, TypeByte, typeByteOf } from '../index/key-order.js';
import { bsonTypeOf, isOperatorObject, isSubdocument, type StoredDocument } from '../storage/value-types.js';
import { literalPrefix } from './prefix-pattern.js';

/** What a matching document's keys for `path` must satisfy: one of them lies in one of the intervals. */
export interface Requirement {
  readonly path: string;
  /** Each is one value (`$eq`, `$in`), or there is a single one, a range. */
  readonly intervals: readonly KeyInterval[];
  readonly kind: 'points' | 'range';
  /** Only documents that have the field can match. */
  readonly present: boolean;
  /** The intervals say all that the condition says. */
  readonly exact: boolean;
}

/** A filter, as far as an index can serve it. */
export interface FilterShape {
  readonly requirements: readonly Requirement[];
  /** Every `$or`: of each, one branch must match. */
  readonly alternatives: ReadonlyArray<readonly StoredDocument[]>;
  /** Paths that must exist (`$exists: true`), for sparse and partial indexes. */
  readonly existing: ReadonlySet<string>;
  /** True when requirements and existing say less than the filter does. */
  readonly more: boolean;
  readonly fields: readonly string[];
}

interface Collected {
  requirements: Requirement[];
  alternatives: StoredDocument[][];
  existing: Set<string>;
  more: boolean;
  fields: string[];
}

/** Takes a filter apart. What no index could serve (`$ne`, `$expr`, `$size` …) is left to the test of each document. */
export function shapeOf(filter: StoredDocument): FilterShape {
  const shape: Collected = { requirements: [], alternatives: [], existing: new Set(), more: false, fields: [] };
  collect(filter, '', shape);
  return shape;
}

function collect(filter: StoredDocument, prefix: string, shape: Collected): void {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(value))
      for (const part of value) collect(part as StoredDocument, prefix, shape);
    else if (key === '$or' && Array.isArray(value)) {
      shape.more = true;
      if (prefix === '') shape.alternatives.push(value as StoredDocument[]);
    } else if (key.startsWith('$')) {
      shape.more = true;
      shape.fields.push(key);
    } else {
      shape.fields.push(prefix + key);
      collectField(prefix + key, value, shape);
    }
  }
}

function collectField(path: string, value: unknown, shape: Collected): void {
  if (!isOperatorObject(value)) {
    const condition = value instanceof RegExp ? { $regex: value } : { $eq: value };
    collectField(path, condition, shape);
    return;
  }
  for (const [operator, operand] of Object.entries(value)) {
    if (operator === '$elemMatch' && isSubdocument(operand)) {
      shape.more = true;
      if (isOperatorObject(operand)) collectField(path, operand, shape);
      else collect(operand, `${path}.`, shape);
      continue;
    }
    if (operator === '$exists' && operand === true) shape.existing.add(path);
    const requirement = requirementOf(path, operator, operand, value);
    if (requirement !== undefined) shape.requirements.push(requirement);
    if (requirement?.exact !== true) shape.more = true;
  }
}

function requirementOf(path: string, operator: string, operand: unknown, all: StoredDocument): Requirement | undefined {
  switch (operator) {
    case '$eq':
      return points(path, [operand]);
    case '$in':
      return Array.isArray(operand) ? points(path, operand) : undefined;
    case '$all': {
      const first = Array.isArray(operand) && operand.length > 0 ? points(path, operand.slice(0, 1)) : undefined;
      return isOperatorObject((operand as unknown[])[0]) ? undefined : first && { ...first, exact: false };
    }
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return hasOrder(operand) ? range(path, comparison(operator, operand), true) : undefined;
    case '$exists':
      return operand === false
        ? { ...range(path, startingWith(Buffer.from([TypeByte.null])), false), present: false }
        : undefined;
    case '$type':
      return typeRange(path, operand);
    case '$regex': {
      const options = all.$options === undefined ? '' : String(all.$options);
      const prefix = literalPrefix(
        operand instanceof RegExp && options === '' ? operand : new RegExp(operand as string, options),
      );
      if (prefix === undefined) return undefined;
      return range(path, startingWith(encodeKey(prefix).subarray(0, -2)), false);
    }
    default:
      return undefined;
  }
}

function points(path: string, values: readonly unknown[]): Requirement | undefined {
  if (values.some((value) => Array.isArray(value) || value instanceof RegExp || !isStorable(value))) return undefined;
  const present = values.every((value) => value !== null);
  // Null is also found inside of arrays on the way; there the test of the document decides.
  const exact = present || !path.includes('.');
  return { path, intervals: values.map((value) => startingWith(encodeKey(value))), kind: 'points', present, exact };
}

function range(path: string, interval: KeyInterval, exact: boolean): Requirement {
  return { path, intervals: [interval], kind: 'range', present: true, exact };
}

/** A comparison finds values of the operand's own type only. */
function comparison(operator: string, operand: unknown): KeyInterval {
  const key = encodeKey(operand);
  const type = typeByteOf(operand);
  const lowest = Buffer.from([type]);
  const highest = Buffer.from([type + (type === TypeByte.boolean ? 2 : 1)]);
  if (operator === '$gt') return { from: after(key), to: highest };
  if (operator === '$gte') return { from: key, to: highest };
  return { from: lowest, to: operator === '$lt' ? key : after(key) };
}

const TYPE_RANGES: Record<string, [number, number]> = {
  string: [TypeByte.string, TypeByte.string + 1],
  date: [TypeByte.date, TypeByte.date + 1],
  objectId: [TypeByte.objectId, TypeByte.objectId + 1],
  number: [TypeByte.notANumber, TypeByte.number + 1],
  bool: [TypeByte.boolean, TypeByte.boolean + 2],
};

function typeRange(path: string, operand: unknown): Requirement | undefined {
  const bytes = typeof operand === 'string' ? TYPE_RANGES[operand] : undefined;
  return bytes && range(path, { from: Buffer.from([bytes[0]]), to: Buffer.from([bytes[1]]) }, false);
}

function hasOrder(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    (typeof value === 'number' && !Number.isNaN(value)) ||
    typeof value === 'boolean' ||
    value instanceof Date ||
    bsonTypeOf(value) === 'ObjectId'
  );
}

function isStorable(value: unknown): boolean {
  const type = bsonTypeOf(value);
  return type === undefined || type === 'ObjectId' || type === 'Binary';
}
