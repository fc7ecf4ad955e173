import { ErrorCode, serverError } from '../errors.js';
import { candidates } from '../filter/candidates.js';
import { defineIndex, describeIndex, isAlreadyDefined } from '../index/index-definition.js';
import type { StoredCollection } from '../storage/catalog.js';
import { readDocumentText } from '../storage/document-text.js';
import { addEntries, entriesOf } from './entries.js';
import type { Storage } from './storage.js';

/** Call within a write. Makes the index and lists every document in it; an equal index that is there already stays. */
export function createIndex(
  storage: Storage,
  name: string,
  key: Record<string, unknown>,
  options: Record<string, unknown>,
): string {
  const definition = defineIndex(key, options);
  const collection = storage.catalog.createCollection(name);
  const primaryKey = definition.fields.length === 1 && definition.fields[0]?.path === '_id';
  if (
    primaryKey ||
    isAlreadyDefined(
      definition,
      collection.indexes.map((index) => index.definition),
    )
  )
    return definition.name;
  const index = storage.catalog.addIndex(collection, definition);
  for (const { row, text } of candidates(storage.file, collection, { kind: 'collection' })) {
    const document = readDocumentText(text);
    addEntries(storage, collection, index, row, document, entriesOf(storage, index, document));
  }
  return definition.name;
}

/** Call within a write. Throws code 27 when there is no such index. */
export function dropIndex(storage: Storage, name: string, indexName: string): void {
  const collection = storage.catalog.collection(name);
  const index = collection?.indexes.find((each) => each.definition.name === indexName);
  if (collection === undefined || index === undefined) {
    throw serverError(ErrorCode.indexNotFound, `index not found with name [${indexName}]`);
  }
  storage.catalog.dropIndex(collection, index);
}

/** As `listIndexes` answers; `_id_` first. Throws code 26 for a collection that does not exist. */
export function listIndexes(storage: Storage, name: string): Record<string, unknown>[] {
  const collection: StoredCollection | undefined = storage.catalog.collection(name);
  if (collection === undefined) throw serverError(26, `ns does not exist: ${name}`);
  return [
    { v: 2, key: { _id: 1 }, name: '_id_' },
    ...collection.indexes.map((index) => describeIndex(index.definition)),
  ];
}
