import { UnsupportedOperationError } from '../errors.js';
import type { SortOrder } from '../filter/scan.js';
import { fieldValues } from '../index/field-values.js';
import { encodeKey } from '../index/key-order.js';
import type { StoredDocument } from '../storage/value-types.js';
import { isSubdocument } from '../storage/value-types.js';

/** Reads the forms mongoose and the driver accept: `{a: 1}`, `{a: 'desc'}`, a Map, `[['a', -1]]`. */
export function readSortOrder(sort: unknown): SortOrder {
  if (sort === undefined || sort === null) return [];
  const entries =
    sort instanceof Map || Array.isArray(sort)
      ? [...(sort as Iterable<unknown>)]
      : isSubdocument(sort)
        ? Object.entries(sort)
        : [];
  return entries.map((entry) => {
    const [path, direction] = entry as [string, unknown];
    if (direction === 1 || direction === 'asc' || direction === 'ascending') return [path, 1] as const;
    if (direction === -1 || direction === 'desc' || direction === 'descending') return [path, -1] as const;
    throw new UnsupportedOperationError(`the sort direction ${JSON.stringify(direction)}`);
  });
}

/** Sorts items by their documents as MongoDB does: an array counts by its smallest (descending: greatest) element. */
export function sortedBy<T>(items: readonly T[], documentOf: (item: T) => StoredDocument, order: SortOrder): T[] {
  const keyed = items.map((item) => ({
    item,
    keys: order.map(([path, direction]) => sortKey(documentOf(item), path, direction)),
  }));
  keyed.sort((left, right) => {
    for (const [at, [, direction]] of order.entries()) {
      const compared = Buffer.compare(left.keys[at] as Buffer, right.keys[at] as Buffer);
      if (compared !== 0) return compared * direction;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

function sortKey(document: StoredDocument, path: string, direction: 1 | -1): Buffer {
  const values = fieldValues(document, path).values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  const keys = values.map(encodeKey);
  return keys.reduce(
    (best, key) => (Buffer.compare(key, best) * direction < 0 ? key : best),
    keys[0] ?? encodeKey(null),
  );
}
