import { whileLocked } from '../database/storage/lock-patience.js';
import { SqliteFile, sqlName } from '../database/storage/sqlite-file.js';

export interface FileCopy {
  readonly from: string;
  /** Must not exist. */
  readonly to: string;
}

/**
 * Copies SQLite files that other processes write to, as they all stood at one and the same instant: what a power cut at that instant would have left, which is
 * what every part of the system recovers from. For that instant alone the locks of all files are held, so that nobody commits to any of them; each file's state is then pinned
 * by a read transaction, the locks are let go, and the copying takes its time while the others write on. Throws SQLite's error when a lock cannot be had within
 * seconds; copies begun are then incomplete.
 */
export async function copyConsistently(files: readonly FileCopy[]): Promise<void> {
  const readers: SqliteFile[] = [];
  const locks: SqliteFile[] = [];
  try {
    for (const { from, to } of files) {
      const reader = new SqliteFile(from);
      readers.push(reader);
      reader.run('ATTACH DATABASE ? AS copy', to);
      locks.push(new SqliteFile(from));
    }
    for (const lock of locks) await whileLocked(() => lock.exec('BEGIN IMMEDIATE'));
    for (const reader of readers) {
      reader.exec('BEGIN');
      // The transaction begins with its first read.
      reader.all('SELECT count(*) FROM main.sqlite_schema');
    }
    for (const lock of locks) lock.exec('ROLLBACK');
    for (const reader of readers) {
      copyTables(reader);
      reader.exec('COMMIT');
      // Closing alone would hold on to the copy for a while (libsql).
      reader.exec('DETACH DATABASE copy');
    }
  } finally {
    // What is still under way is rolled back.
    for (const file of [...locks, ...readers]) file.close();
  }
}

/** Everything of `main` into `copy`: tables with their row numbers, then indexes, then what SQLite itself remembers. */
function copyTables(file: SqliteFile): void {
  const objects = file
    .all('SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL')
    .map(([type, name, sql]) => ({ type: String(type), name: String(name), sql: String(sql) }));
  const own = objects.filter(({ name }) => !name.startsWith('sqlite_'));
  for (const { name, sql } of own.filter(({ type }) => type === 'table')) {
    file.exec(sql.replace(/^CREATE TABLE (IF NOT EXISTS )?/i, 'CREATE TABLE copy.'));
    file.exec(`INSERT INTO copy.${sqlName(name)} SELECT * FROM main.${sqlName(name)}`);
  }
  for (const { sql } of own.filter(({ type }) => type === 'index'))
    file.exec(sql.replace(/^CREATE (UNIQUE )?INDEX (IF NOT EXISTS )?/i, 'CREATE $1INDEX copy.'));
  if (objects.some(({ name }) => name === 'sqlite_sequence')) {
    file.exec('DELETE FROM copy.sqlite_sequence');
    file.exec('INSERT INTO copy.sqlite_sequence SELECT * FROM main.sqlite_sequence');
  }
  file.exec(`PRAGMA copy.user_version = ${Number(file.all('PRAGMA main.user_version')[0]?.[0] ?? 0)}`);
}
