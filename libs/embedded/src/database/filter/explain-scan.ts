import type { StoredCollection } from '../storage/catalog.js';
import type { SqliteFile } from '../storage/sqlite-file.js';
import { walkSql } from './candidates.js';
import type { IndexScan, Scan } from './scan.js';

/** What a scan asks SQLite, and how SQLite says it will answer. */
export function explainScan(file: SqliteFile, collection: StoredCollection, scan: Scan) {
  const parts = indexScans(scan);
  return {
    indexes: parts.map((part) => part.index?.definition.name ?? '_id_'),
    sorted: scan.kind === 'index' && scan.sorted,
    scan,
    plan: parts.flatMap((part) => {
      const { from, to } = part.intervals[0] ?? { from: Buffer.alloc(0), to: Buffer.alloc(0) };
      return file.explain(walkSql(collection, part).first, from, to, 1);
    }),
  };
}

function indexScans(scan: Scan): IndexScan[] {
  if (scan.kind === 'index') return [scan];
  return scan.kind === 'branches' ? scan.scans.flatMap(indexScans) : [];
}
