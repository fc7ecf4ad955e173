import Database from 'libsql';
import { DatabaseUnavailableError } from '../errors.js';

/** A value that SQL gives or takes. Numbers are bound as reals, which SQLite turns into integers where a column is one. */
export type SqlValue = string | number | Buffer | null;
export type SqlRow = SqlValue[];

/** How long SQLite itself may block the event loop for another process's lock; longer waits are ours, asynchronous. */
const BLOCKING_WAIT_MS = 2;
const STATEMENTS_KEPT = 200;
/** Pages (of 4 KiB) that the log gathers before a COMMIT folds them back. Of pages that are written again and again, which most are, only the last state is; SQLite's own 1,000 cost a quarter of all COMMITs. */
const LOG_PAGES = 4_000;

type Statement = ReturnType<Database.Database['prepare']>;

/**
 * One open SQLite file: WAL, whose COMMIT does not wait for the disk (`synchronous=NORMAL`): `LogFlush` does, without holding up the event loop. Rows come as
 * arrays and always all at once: a statement left half read would hold its snapshot and stop the log from being folded
 * back. Prepared statements are kept, the least recently used one leaves.
 */
export class SqliteFile {
  readonly path: string;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();
  readonly #firsts = new Map<string, Statement>();
  #writesBegun = 0;

  constructor(path: string) {
    this.path = path;
    this.#database = new Database(path);
    this.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
    this.exec('PRAGMA journal_mode = WAL');
    this.exec('PRAGMA synchronous = NORMAL');
    this.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  }

  all(sql: string, ...values: SqlValue[]): SqlRow[] {
    return this.#prepared(sql).all(values) as SqlRow[];
  }

  /**
   * The first row, for what has one at most or is asked for one: half the cost of `all`. libsql resets a statement behind `get`, but before `all`, and takes no new values
   * for one that was not reset: found by trial. Hence statements of its own, and none that has failed is kept.
   */
  first(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    try {
      return this.#prepared(sql, this.#firsts).get(values) as SqlRow | undefined;
    } catch (error) {
      this.#firsts.delete(sql);
      throw error;
    }
  }

  run(sql: string, ...values: SqlValue[]): { changes: number; lastInsertRowid: number } {
    const result = this.#prepared(sql).run(values);
    return { changes: result.changes, lastInsertRowid: Number(result.lastInsertRowid) };
  }

  /** For statements that run once: definitions and pragmas. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** From here to its end nobody else writes. */
  beginWrite(): void {
    this.exec('BEGIN IMMEDIATE');
    this.#writesBegun += 1;
  }

  /** A number of its own for each write under way, while what others wrote cannot change; undefined outside of one. */
  get writeUnderWay(): number | undefined {
    return this.inTransaction ? this.#writesBegun : undefined;
  }

  /** SQLite's plan for a statement. On a connection of its own: found by trial, after EXPLAIN libsql keeps a read open. */
  explain(sql: string, ...values: SqlValue[]): string[] {
    const database = new Database(this.path);
    try {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).raw(true).all(values) as SqlRow[];
      return rows.map((row) => String(row[3]));
    } finally {
      database.close();
    }
  }

  /** Copies the log into the file and syncs both; false when another process reads or writes meanwhile. */
  foldLog(): boolean {
    return this.all('PRAGMA wal_checkpoint(TRUNCATE)')[0]?.[0] === 0;
  }

  /** Folds the log back into the file, so that the file alone is whole, and closes it. */
  close(): void {
    try {
      this.foldLog();
    } catch {
      // Another process reads or writes. Nothing is lost: the log belongs to the file and is read with it.
    }
    this.#statements.clear();
    this.#firsts.clear();
    this.#database.close();
  }

  #prepared(sql: string, kept = this.#statements): Statement {
    let statement = kept.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      if (statement.reader) statement.raw(true);
      if (kept.size >= STATEMENTS_KEPT) {
        for (const oldest of kept.keys()) {
          kept.delete(oldest);
          break;
        }
      }
    } else kept.delete(sql);
    kept.set(sql, statement);
    return statement;
  }
}

/** Quotes a table or column name. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function sqliteCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

/** Another process holds the lock: the same call may succeed in a moment. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_BUSY') || sqliteCode(error).startsWith('SQLITE_LOCKED');
}

/** The file failed, not the one write: disk full, I/O error, read-only or damaged file. */
export function isStorageFailure(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM)/.test(sqliteCode(error));
}

/** The file is locked or failed: nothing that was asked of it can be done now, whatever it was. */
export function isFileFailure(error: unknown): boolean {
  return isBusy(error) || isStorageFailure(error);
}

/** Turns SQLite's own failures into {@link DatabaseUnavailableError}; other errors pass unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (!isFileFailure(error)) return error;
  return new DatabaseUnavailableError(`the database is unavailable: ${(error as Error).message}`, { cause: error });
}
