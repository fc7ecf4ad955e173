import { flippedInterval, startingWith } from '../index/key-interval.js';
import { encodeKey, TypeByte } from '../index/key-order.js';
import type { StoredCollection } from '../storage/catalog.js';
import { readDocumentText } from '../storage/document-text.js';
import type { SqlRow } from '../storage/sqlite-file.js';
import { deleteDocument } from './entries.js';
import type { Storage } from './storage.js';

const SWEEP_EVERY_MS = 60_000;
const DELETED_PER_WRITE = 200;

/** Deletes what the TTL indexes say has expired, in small writes between which others get their turn. */
export async function sweepExpired(storage: Storage): Promise<number> {
  let deleted = 0;
  for (const collection of await storage.read(() => storage.catalog.collections())) {
    for (const { definition } of collection.indexes) {
      if (definition.expireAfterSeconds === undefined) continue;
      // Mostly there is nothing, and a write that does nothing is brought to the disk like any other.
      if (!(await storage.read(() => hasExpired(storage, collection.name, definition.name)))) continue;
      for (let portion = DELETED_PER_WRITE; portion === DELETED_PER_WRITE; deleted += portion) {
        portion = await storage.writes.submit(() => deletePortion(storage, collection.name, definition.name));
      }
    }
  }
  return deleted;
}

function hasExpired(storage: Storage, name: string, indexName: string): boolean {
  return expiredRows(storage, name, indexName, 1).rows.length > 0;
}

function deletePortion(storage: Storage, name: string, indexName: string): number {
  const { collection, rows } = expiredRows(storage, name, indexName, DELETED_PER_WRITE);
  if (collection === undefined) return 0;
  for (const [row, text] of rows) deleteDocument(storage, collection, Number(row), readDocumentText(String(text)));
  return rows.length;
}

/** A date is a key of its own type, so documents whose field holds anything else never expire. */
function expiredRows(
  storage: Storage,
  name: string,
  indexName: string,
  limit: number,
): { collection?: StoredCollection; rows: SqlRow[] } {
  const collection = storage.catalog.collection(name);
  const index = collection?.indexes.find((each) => each.definition.name === indexName);
  if (collection === undefined || index === undefined) return { rows: [] };
  const { definition, table } = index;
  const latest = new Date(storage.now().getTime() - (definition.expireAfterSeconds ?? 0) * 1000);
  const descending = definition.fields[0]?.direction === -1;
  const dates = { from: Buffer.from([TypeByte.date]), to: startingWith(encodeKey(latest)).to };
  const { from, to } = descending ? flippedInterval(dates) : dates;
  const sql =
    `SELECT DISTINCT d.row, d.document FROM ${table} i CROSS JOIN ${collection.table} d ON d.row = i.row ` +
    'WHERE i.key >= ? AND i.key < ? LIMIT ?';
  return { collection, rows: storage.file.all(sql, from, to, limit) };
}

/** Sweeps at once and then every minute, without keeping the process alive. Returns what stops it. */
export function startExpiry(storage: Storage): () => void {
  // A sweep that fails (file locked, disk full) is tried again a minute later; nothing depends on its moment.
  const sweep = () => void sweepExpired(storage).catch(() => undefined);
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
