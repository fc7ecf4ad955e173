import { readDocumentText } from '../storage/document-text.js';
import type { StoredDocument } from '../storage/value-types.js';
import { applyUpdate, touchedFields, type Update } from '../update/apply-update.js';
import type { Positions } from '../update/positions.js';
import { upsertDocument, withId } from '../update/upsert-document.js';
import { deleteDocument, entriesBefore, insertDocument, replaceDocument } from './entries.js';
import { type Found, type SearchOptions, search } from './search.js';
import type { Storage } from './storage.js';

/** Makes the new content of a document; for an update it changes the given one in place. */
export interface Change {
  apply(document: StoredDocument): StoredDocument;
  /** The top-level fields that it can change; undefined: any. */
  readonly touched?: ReadonlySet<string>;
  /** The document to insert when none matches; undefined when the operation is no upsert. */
  readonly upsert?: () => StoredDocument;
}

export interface ChangeResult {
  readonly matched: number;
  readonly modified: number;
  /** The first document before the change; read when it is asked for. */
  readonly before?: () => StoredDocument;
  /** The first document after the change, or the inserted one. */
  readonly after?: StoredDocument;
  readonly upserted?: StoredDocument;
}

/** Call within a write. Finding and changing are one step (P31): nothing can come between. */
export function changeDocuments(
  storage: Storage,
  name: string,
  filter: StoredDocument,
  options: SearchOptions,
  change: Change,
): ChangeResult {
  const found = search(storage, name, filter, options);
  if (found.length === 0) {
    if (change.upsert === undefined) return { matched: 0, modified: 0 };
    const upserted = change.upsert();
    insertDocument(storage, storage.catalog.createCollection(name), upserted);
    return { matched: 0, modified: 0, after: upserted, upserted };
  }
  let modified = 0;
  let after: StoredDocument | undefined;
  for (const each of found) {
    const changed = changeOne(storage, name, each, change);
    if (changed.stored) modified++;
    after ??= changed.document;
  }
  const before = () => readDocumentText((found[0] as Found).text);
  return { matched: found.length, modified, before, ...(after ? { after } : {}) };
}

function changeOne(storage: Storage, name: string, found: Found, change: Change) {
  const collection = storage.catalog.createCollection(name);
  const entries = entriesBefore(storage, collection, found.document, change.touched);
  const before = { text: found.text, id: found.document._id, entries };
  const document = change.apply(found.document);
  return { document, stored: replaceDocument(storage, collection, found.row, before, document) };
}

/** Call within a write. Returns the deleted documents. */
export function deleteDocuments(
  storage: Storage,
  name: string,
  filter: StoredDocument,
  options: SearchOptions,
): StoredDocument[] {
  const found = search(storage, name, filter, options);
  if (found.length === 0) return [];
  const collection = storage.catalog.createCollection(name);
  for (const { row, document } of found) deleteDocument(storage, collection, row, document);
  return found.map(({ document }) => document);
}

/** A change by update operators. */
export function operatorChange(update: Update, positions: Positions, upsert: boolean): Change {
  return {
    touched: touchedFields(update),
    apply(document) {
      applyUpdate(document, update, positions, { now: positions.now, inserting: false });
      return document;
    },
    ...(upsert ? { upsert: () => upsertDocument(positions.filter, update, positions) } : {}),
  };
}

/** A change by a whole document; `_id` stays. */
export function replacement(filter: StoredDocument, document: StoredDocument, upsert: boolean): Change {
  const { _id: given, ...fields } = document;
  const upserted = () => withId({ ...(given === undefined ? pickId(filter) : { _id: given }), ...fields });
  return {
    apply: (current) => ({ _id: given === undefined ? current._id : given, ...fields }),
    ...(upsert ? { upsert: upserted } : {}),
  };
}

function pickId(filter: StoredDocument): StoredDocument {
  const id = filter._id;
  return id === undefined || (id !== null && typeof id === 'object' && '$in' in id) ? {} : { _id: id };
}
