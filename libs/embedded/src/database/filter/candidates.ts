import type { KeyInterval } from '../index/key-interval.js';
import type { StoredCollection } from '../storage/catalog.js';
import type { SqliteFile, SqlRow, SqlValue } from '../storage/sqlite-file.js';
import type { IndexScan, Scan } from './scan.js';

/** A stored document that may match. */
export interface Candidate {
  readonly row: number;
  readonly text: string;
}

const FIRST_PORTION = 16;
const LARGEST_PORTION = 2_000;

/**
 * Yields the candidates of a scan, each document once, in the order of the scan. They are read in portions that grow, so
 * that finding the first match of many costs little; within a write (or a single portion) they are one snapshot.
 */
export function* candidates(file: SqliteFile, collection: StoredCollection, scan: Scan): Generator<Candidate> {
  if (scan.kind === 'index') yield* indexCandidates(file, collection, scan);
  else if (scan.kind === 'collection') yield* collectionCandidates(file, collection);
  else yield* distinct(scan.scans.map((branch) => candidates(file, collection, branch)));
}

/** Does the scan find at least so many? Counted by SQL in the indexes, without a look at the documents; one that stands in two branches counts twice. */
export function hasCandidates(file: SqliteFile, collection: StoredCollection, scan: Scan, least: number): boolean {
  return countCandidates(file, collection, scan, least) >= least;
}

function countCandidates(file: SqliteFile, collection: StoredCollection, scan: Scan, enough: number): number {
  if (scan.kind === 'collection') return enough;
  let found = 0;
  if (scan.kind === 'branches') {
    for (const branch of scan.scans) {
      if (found >= enough) break;
      found += countCandidates(file, collection, branch, enough - found);
    }
    return found;
  }
  const { table, key } = keysOf(collection, scan);
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${key} >= ? AND ${key} < ? LIMIT ?)`;
  for (const { from, to } of scan.intervals) {
    if (found >= enough) break;
    found += Number(file.first(sql, from, to, enough - found)?.[0]);
  }
  return found;
}

/** Where the keys of a scan stand, as names in SQL. */
export function keysOf(collection: StoredCollection, { index }: IndexScan): { table: string; key: string } {
  return index === undefined ? { table: collection.table, key: 'id' } : { table: index.table, key: 'key' };
}

function* indexCandidates(file: SqliteFile, collection: StoredCollection, scan: IndexScan): Generator<Candidate> {
  const intervals = scan.reverse ? [...scan.intervals].reverse() : scan.intervals;
  const walks = intervals.map((interval) => walk(file, collection, scan, interval));
  if (scan.index === undefined || scan.index.arrayFields === 0) for (const each of walks) yield* each;
  else yield* distinct(walks);
}

/** With arrays a document is listed under several keys. */
function* distinct(walks: Iterable<Iterable<Candidate>>): Generator<Candidate> {
  const seen = new Set<number>();
  for (const each of walks) {
    for (const candidate of each) {
      if (seen.has(candidate.row)) continue;
      seen.add(candidate.row);
      yield candidate;
    }
  }
}

function* walk(
  file: SqliteFile,
  collection: StoredCollection,
  scan: IndexScan,
  interval: KeyInterval,
): Generator<Candidate> {
  const { first, next } = walkSql(collection, scan);
  const bounds: SqlValue[] = [interval.from, interval.to];
  if (scan.unique) {
    const only = file.first(first, ...bounds, 1);
    if (only !== undefined) yield { row: Number(only[0]), text: String(only[1]) };
    return;
  }
  for (let portion = FIRST_PORTION, last: SqlRow | undefined; ; portion = Math.min(portion * 4, LARGEST_PORTION)) {
    const sql = last === undefined ? first : next;
    const position = last === undefined ? [] : scan.index === undefined ? [last[2]] : [last[2], last[0]];
    const rows: SqlRow[] = file.all(sql, ...bounds, ...(position as SqlValue[]), portion);
    for (const row of rows) yield { row: Number(row[0]), text: String(row[1]) };
    if (rows.length < portion) return;
    last = rows[rows.length - 1];
  }
}

/** The statements of a walk: its first portion, and the ones that go on behind the last key and row. */
export function walkSql(collection: StoredCollection, scan: IndexScan): { first: string; next: string } {
  const [order, beyond] = scan.reverse ? ['DESC', '<'] : ['ASC', '>'];
  if (scan.index === undefined) {
    const select = `SELECT row, document, id FROM ${collection.table} WHERE id >= ? AND id < ?`;
    const end = `ORDER BY id ${order} LIMIT ?`;
    return { first: `${select} ${end}`, next: `${select} AND id ${beyond} ? ${end}` };
  }
  const select =
    `SELECT d.row, d.document, i.key FROM ${scan.index.table} i CROSS JOIN ${collection.table} d ON d.row = i.row ` +
    'WHERE i.key >= ? AND i.key < ?';
  const end = `ORDER BY i.key ${order}, i.row ${order} LIMIT ?`;
  return { first: `${select} ${end}`, next: `${select} AND (i.key, i.row) ${beyond} (?, ?) ${end}` };
}

function* collectionCandidates(file: SqliteFile, collection: StoredCollection): Generator<Candidate> {
  const sql = `SELECT row, document FROM ${collection.table} WHERE row > ? ORDER BY row LIMIT ?`;
  for (let portion = FIRST_PORTION, last = -1; ; portion = Math.min(portion * 4, LARGEST_PORTION)) {
    const rows: SqlRow[] = file.all(sql, last, portion);
    for (const row of rows) yield { row: Number(row[0]), text: String(row[1]) };
    if (rows.length < portion) return;
    last = Number(rows[rows.length - 1]?.[0]);
  }
}
