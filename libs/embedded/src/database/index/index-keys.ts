import { UnsupportedOperationError } from '../errors.js';
import type { StoredDocument } from '../storage/value-types.js';
import { fieldValues } from './field-values.js';
import type { IndexDefinition } from './index-definition.js';
import { flipped } from './key-interval.js';
import { encodeKey, TypeByte } from './key-order.js';

/** A document's entries in one index. */
export interface IndexKeys {
  readonly keys: Buffer[];
  /** Bit n is set when the document has an array in the n-th field. */
  readonly arrayFields: number;
}

const NONE: IndexKeys = { keys: [], arrayFields: 0 };

/**
 * The keys under which an index lists a document: one, or one per array element ("multikey"). Missing counts as null;
 * a sparse index leaves out documents that have none of its fields, a partial one those that its filter does not match.
 * With arrays in two fields every combination is listed, so that a search never misses one.
 */
export function indexKeys(
  index: IndexDefinition,
  document: StoredDocument,
  matchesPartialFilter: (document: StoredDocument) => boolean,
): IndexKeys {
  if (index.partialFilter !== undefined && !matchesPartialFilter(document)) return NONE;
  let arrayFields = 0;
  let present = false;
  let combinations: Buffer[] = [];
  index.fields.forEach((field, position) => {
    const found = fieldValues(document, field.path);
    if (found.array) arrayFields |= 1 << position;
    if (found.values.some((value) => value !== undefined)) present = true;
    const own = distinctKeys(found.values);
    const keys = field.direction === 1 ? own : own.map(flipped);
    combinations =
      position === 0 ? keys : combinations.flatMap((start) => keys.map((key) => Buffer.concat([start, key])));
  });
  if (index.sparse && !present) return NONE;
  if (index.unique && (arrayFields & (arrayFields - 1)) !== 0) {
    throw new UnsupportedOperationError(`the unique index ${index.name} over two arrays`);
  }
  return { keys: combinations, arrayFields };
}

function distinctKeys(values: readonly unknown[]): Buffer[] {
  const only = values[0];
  if (values.length === 1 && !Array.isArray(only)) return [encodeKey(only)];
  const keys = new Map<string, Buffer>();
  const add = (key: Buffer) => keys.set(key.toString('latin1'), key);
  for (const value of values) {
    if (!Array.isArray(value)) add(encodeKey(value));
    else if (value.length === 0) add(Buffer.from([TypeByte.emptyArray]));
    else for (const item of value) add(encodeKey(item));
  }
  if (keys.size === 0) add(encodeKey(null));
  return [...keys.values()];
}
