import { duplicateKey, ErrorCode, serverError } from '../errors.js';
import { partialTest } from '../filter/partial-test.js';
import { fieldValues } from '../index/field-values.js';
import { concerns, keyPattern } from '../index/index-definition.js';
import { type IndexKeys, indexKeys } from '../index/index-keys.js';
import { encodeKey } from '../index/key-order.js';
import type { StoredCollection, StoredIndex } from '../storage/catalog.js';
import { writeDocumentText } from '../storage/document-text.js';
import type { StoredDocument } from '../storage/value-types.js';
import type { Storage } from './storage.js';

/** Stores a new document with its index entries. Throws code 11000 when `_id` or a unique key is taken. */
export function insertDocument(storage: Storage, collection: StoredCollection, document: StoredDocument): void {
  const id = idKey(document);
  const taken = storage.file.first(`SELECT 1 FROM ${collection.table} WHERE id = ?`, id);
  if (taken !== undefined) throw duplicateKey(collection.name, '_id_', { _id: 1 }, { _id: document._id });
  const text = writeDocumentText(document);
  const { lastInsertRowid: row } = storage.file.run(
    `INSERT INTO ${collection.table} (id, document) VALUES (?, ?)`,
    id,
    text,
  );
  for (const index of collection.indexes)
    addEntries(storage, collection, index, row, document, entriesOf(storage, index, document));
}

/** A document's entries in one index before it is changed, to be compared afterwards. */
export interface EntriesBefore {
  readonly index: StoredIndex;
  readonly entries: IndexKeys;
}

/** A document's entries in the indexes that a change of these top-level fields (undefined: of any) can concern. */
export function entriesBefore(
  storage: Storage,
  collection: StoredCollection,
  document: StoredDocument,
  touched: ReadonlySet<string> | undefined,
): EntriesBefore[] {
  return collection.indexes
    .filter(({ definition }) => touched === undefined || concerns(definition, touched))
    .map((index) => ({ index, entries: entriesOf(storage, index, document) }));
}

/** Stores a changed document; index entries that stay the same are not touched. Returns false when nothing changed. */
export function replaceDocument(
  storage: Storage,
  collection: StoredCollection,
  row: number,
  before: { text: string; id: unknown; entries: readonly EntriesBefore[] },
  document: StoredDocument,
): boolean {
  const text = writeDocumentText(document);
  if (text === before.text) return false;
  if (!idKey(document).equals(encodeKey(before.id))) {
    throw serverError(
      ErrorCode.immutableField,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  storage.file.run(`UPDATE ${collection.table} SET document = ? WHERE row = ?`, text, row);
  for (const { index, entries: old } of before.entries) {
    const own = entriesOf(storage, index, document);
    removeEntries(storage, index, row, without(old, own));
    addEntries(storage, collection, index, row, document, { ...own, keys: without(own, old) });
  }
  return true;
}

export function deleteDocument(
  storage: Storage,
  collection: StoredCollection,
  row: number,
  document: StoredDocument,
): void {
  storage.file.run(`DELETE FROM ${collection.table} WHERE row = ?`, row);
  for (const index of collection.indexes) removeEntries(storage, index, row, entriesOf(storage, index, document).keys);
}

export function entriesOf(storage: Storage, index: StoredIndex, document: StoredDocument): IndexKeys {
  return indexKeys(index.definition, document, partialTest(index.definition, storage.now));
}

/** Lists a document in an index; in a unique one no other document may have one of its keys. */
export function addEntries(
  storage: Storage,
  collection: StoredCollection,
  index: StoredIndex,
  row: number,
  document: StoredDocument,
  entries: IndexKeys,
): void {
  const { definition, table } = index;
  if (entries.arrayFields !== 0) storage.catalog.noteArrays(collection.name, index, entries.arrayFields);
  for (const key of entries.keys) {
    if (definition.unique) {
      const taken = storage.file.first(`SELECT row FROM ${table} WHERE key = ? AND row <> ? LIMIT 1`, key, row);
      if (taken !== undefined) {
        const values = definition.fields.map(({ path }) => [path, fieldValues(document, path).values[0] ?? null]);
        throw duplicateKey(collection.name, definition.name, keyPattern(definition), Object.fromEntries(values));
      }
    }
    storage.file.run(`INSERT INTO ${table} (key, row) VALUES (?, ?)`, key, row);
  }
}

function removeEntries(storage: Storage, index: StoredIndex, row: number, keys: readonly Buffer[]): void {
  for (const key of keys) storage.file.run(`DELETE FROM ${index.table} WHERE key = ? AND row = ?`, key, row);
}

function without(entries: IndexKeys, others: IndexKeys): Buffer[] {
  return entries.keys.filter((key) => !others.keys.some((other) => other.equals(key)));
}

function idKey(document: StoredDocument): Buffer {
  const id = document._id;
  if (id === undefined || Array.isArray(id) || id instanceof RegExp) {
    throw serverError(53, `The '_id' value cannot be of type ${id === undefined ? 'undefined' : 'array or regex'}`);
  }
  return encodeKey(id);
}
