/** A stored document: JSON-like, with Date, ObjectId, Binary, RegExp and Long as leaves. */
export type StoredDocument = Record<string, unknown>;

/** The name by which bson marks its own classes (`ObjectId`, `Binary`, `Long` …), or undefined. */
export function bsonTypeOf(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const type = (value as { _bsontype?: unknown })._bsontype;
  return typeof type === 'string' ? type : undefined;
}

/** True for a subdocument: an object that is no array, date, regular expression or bson class. */
export function isSubdocument(value: unknown): value is StoredDocument {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof RegExp) &&
    bsonTypeOf(value) === undefined
  );
}

/** True for an object that holds operators, `{ $gt: 1 }`, as opposed to a value. */
export function isOperatorObject(value: unknown): value is StoredDocument {
  if (!isSubdocument(value)) return false;
  for (const key in value) return key.startsWith('$');
  return false;
}
