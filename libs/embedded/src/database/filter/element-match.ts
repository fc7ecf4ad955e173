import { Query } from 'mingo/query';
import { fieldValues } from '../index/field-values.js';
import { isOperatorObject, isSubdocument, type StoredDocument } from '../storage/value-types.js';

type QueryOptions = ConstructorParameters<typeof Query>[1];
const LOGICAL = new Set(['$and', '$or', '$nor']);

/**
 * `$elemMatch`: one element meets everything. With operators it is the element itself that is tested, with fields only
 * elements that are subdocuments can match (mingo's own would test scalars as if they were documents).
 */
export function elementMatch(path: string, criteria: unknown, options: QueryOptions) {
  if (!isSubdocument(criteria)) throw new Error('$elemMatch needs an Object');
  const onElement = isOperatorObject(criteria) && !Object.keys(criteria).some((key) => LOGICAL.has(key));
  const query = new Query<StoredDocument>(onElement ? { element: criteria } : criteria, options);
  const matches = (item: unknown) =>
    onElement ? query.test({ element: item }) : isSubdocument(item) && query.test(item);
  return (document: StoredDocument): boolean =>
    fieldValues(document, path).values.some((value) => Array.isArray(value) && value.some(matches));
}
