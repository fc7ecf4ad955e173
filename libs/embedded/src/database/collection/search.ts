import { candidates, hasCandidates, keysOf } from '../filter/candidates.js';
import { chooseScan, chooseSortedScan, refuseUnindexed } from '../filter/choose-scan.js';
import { documentTest } from '../filter/document-test.js';
import type { Scan, SortOrder } from '../filter/scan.js';
import type { StoredCollection } from '../storage/catalog.js';
import { readDocumentText } from '../storage/document-text.js';
import { isFileFailure } from '../storage/sqlite-file.js';
import { bsonTypeOf, type StoredDocument } from '../storage/value-types.js';
import { sortedBy } from './sort-documents.js';
import type { Storage } from './storage.js';

/** A stored document that matches. */
export interface Found {
  readonly row: number;
  readonly text: string;
  readonly document: StoredDocument;
}

export interface SearchOptions {
  readonly order?: SortOrder;
  readonly skip?: number;
  /** 0 or undefined: all. */
  readonly limit?: number;
}

/** All documents of a collection that match, in order. A collection that does not exist is empty. */
export function search(storage: Storage, name: string, filter: StoredDocument, options: SearchOptions = {}): Found[] {
  // No index matters for a document that is asked for by its id, so another process's changes to them need not be looked for.
  const known = namesOneId(filter) ? storage.catalog.lastKnown(name) : undefined;
  if (known === undefined) return searchIn(storage, storage.catalog.collection(name), filter, options);
  try {
    return searchIn(storage, known, filter, options);
  } catch (error) {
    if (isFileFailure(error)) throw error;
    // Another process dropped the collection.
    return searchIn(storage, storage.catalog.collection(name), filter, options);
  }
}

function namesOneId({ _id: id }: StoredDocument): boolean {
  return typeof id === 'string' || typeof id === 'number' || bsonTypeOf(id) === 'ObjectId';
}

function searchIn(
  storage: Storage,
  collection: StoredCollection | undefined,
  filter: StoredDocument,
  options: SearchOptions,
): Found[] {
  const { order = [], skip = 0, limit = 0 } = options;
  const scan = collection && searchScan(storage, collection, filter, options);
  // Compiling a filter takes as long as reading a document; it also refuses what is not supported.
  const matches = saysAll(scan) ? () => true : documentTest(filter, storage.now);
  if (collection === undefined || scan === undefined) return [];
  const inOrder = order.length === 0 || (scan.kind === 'index' && scan.sorted);
  const enough = inOrder && limit > 0 ? skip + limit : Number.POSITIVE_INFINITY;
  const found: Found[] = [];
  for (const candidate of candidates(storage.file, collection, scan)) {
    const document = readDocumentText(candidate.text);
    if (!matches(document)) continue;
    found.push({ ...candidate, document });
    if (found.length >= enough) break;
  }
  const ordered = inOrder ? found : sortedBy(found, ({ document }) => document, order);
  return skip > 0 || limit > 0 ? ordered.slice(skip, limit > 0 ? skip + limit : undefined) : ordered;
}

/**
 * The scan of a search. For the first few matches in an order that the narrowest scan does not give, all that it finds must be read and sorted; a walk in that order ends at
 * the last of the few instead, and is sooner there when the matches are many: m of n documents are m reads in the one way and about (few · n / m) in the other.
 */
export function searchScan(
  storage: Storage,
  collection: StoredCollection,
  filter: StoredDocument,
  { order = [], skip = 0, limit = 0 }: SearchOptions,
): Scan {
  const narrowest = checkedScan(storage, collection, filter, order, limit);
  if (order.length === 0 || limit === 0 || (narrowest.kind === 'index' && narrowest.sorted)) return narrowest;
  const walk = chooseSortedScan(collection, filter, order);
  if (walk === undefined) return narrowest;
  const { file } = storage;
  const documents = Number(file.first(`SELECT max(row) FROM ${collection.table}`)?.[0] ?? 0);
  const many = Math.ceil(Math.sqrt((skip + limit) * documents));
  return hasCandidates(file, collection, narrowest, many) ? walk : narrowest;
}

/** Whether every candidate matches, and none can be met by one of several keys only: nothing of the filter is left to test. */
function saysAll(scan: Scan | undefined): boolean {
  return scan?.kind === 'index' && scan.exact && (scan.index === undefined || scan.index.arrayFields === 0);
}

/** How many documents match. Counted by SQL alone where the index says all that the filter says. */
export function count(storage: Storage, name: string, filter: StoredDocument): number {
  const collection = storage.catalog.collection(name);
  if (collection === undefined) return 0;
  if (Object.keys(filter).length === 0) {
    return Number(storage.file.first(`SELECT count(*) FROM ${collection.table}`)?.[0]);
  }
  documentTest(filter, storage.now);
  const scan = checkedScan(storage, collection, filter, [], 0);
  if (scan.kind !== 'index' || !scan.exact) return search(storage, name, filter).length;
  const { table, key } = keysOf(collection, scan);
  if (scan.intervals.length > 1 && scan.index !== undefined && scan.index.arrayFields !== 0) {
    return search(storage, name, filter).length;
  }
  const rows = scan.index === undefined || scan.index.arrayFields === 0 ? '*' : 'DISTINCT row';
  const sql = `SELECT count(${rows}) FROM ${table} WHERE ${key} >= ? AND ${key} < ?`;
  return scan.intervals.reduce((sum, { from, to }) => sum + Number(storage.file.first(sql, from, to)?.[0]), 0);
}

/** The scan for a filter; throws where reading without an index is refused. */
export function checkedScan(
  storage: Storage,
  collection: StoredCollection,
  filter: StoredDocument,
  order: SortOrder,
  limit: number,
): Scan {
  const scan = chooseScan(collection, filter, order);
  if (storage.options.refuseUnindexedFilters) refuseUnindexed(collection, scan, filter, order, limit);
  return scan;
}
