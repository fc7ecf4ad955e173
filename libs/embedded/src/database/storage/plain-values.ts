import { deserialize, serialize } from 'bson';
import { UnsupportedOperationError } from '../errors.js';
import { plainCopy } from './plain-copy.js';
import { bsonTypeOf, isSubdocument, type StoredDocument } from './value-types.js';

/**
 * What mongoose hands over holds its own array and document objects with links to their parents (P35). One round
 * through BSON makes plain values of them, exactly those that MongoDB would have received: `undefined` is null there, too.
 */
export function plainDocument(value: object): StoredDocument {
  return plainCopy(value) ?? deserialize(serialize(value as StoredDocument, { ignoreUndefined: false }));
}

/**
 * A filter, made plain. `undefined` becomes null here as with MongoDB's driver: dropping the condition instead would make
 * the filter match more than was asked for. A function (`$where`) would be dropped by BSON as well, so it is refused.
 */
export function plainFilter(value: object | undefined | null): StoredDocument {
  if (value === undefined || value === null) return {};
  const copy = plainCopy(value);
  if (copy !== undefined) return copy;
  const filter = deserialize(serialize(value as StoredDocument, { ignoreUndefined: false, serializeFunctions: true }));
  refuseCode(filter);
  return filter;
}

function refuseCode(value: unknown): void {
  if (bsonTypeOf(value) === 'Code') throw new UnsupportedOperationError('a function in a filter');
  if (Array.isArray(value)) value.forEach(refuseCode);
  else if (isSubdocument(value)) {
    if (Object.hasOwn(value, '$where')) throw new UnsupportedOperationError('$where');
    Object.values(value).forEach(refuseCode);
  }
}
