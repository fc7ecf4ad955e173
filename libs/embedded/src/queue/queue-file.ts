import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { QueueUnavailableError } from '@latchkey/messaging';
import { whileLocked } from '../database/storage/lock-patience.js';
import { isBusy, isStorageFailure, SqliteFile } from '../database/storage/sqlite-file.js';
import { WriteQueue } from '../database/storage/write-queue.js';
import { SUSPECT_AFTER } from './messages.js';

/**
 * One row per message and queue. `visible_at`: seconds by the injected clock, so that tests turn it; 0 = at once, which no jump of the clock can delay.
 * `lease_until`: seconds by SQLite's own clock. A row whose lease ended without an outcome met a crash. A message that is published again while it
 * still waits is the same row; one that is dead does not stand in its way.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    message_id TEXT NOT NULL,
    body BLOB NOT NULL,
    dead INTEGER NOT NULL DEFAULT 0,
    visible_at REAL NOT NULL DEFAULT 0,
    attempt INTEGER NOT NULL DEFAULT 0,
    deliveries INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT,
    lease_until REAL NOT NULL DEFAULT 0,
    reason TEXT,
    died_at REAL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS live_messages ON messages (queue, message_id) WHERE dead = 0;
  CREATE INDEX IF NOT EXISTS messages_of_queue ON messages (queue, dead, seq, visible_at);
  CREATE INDEX IF NOT EXISTS leased_messages ON messages (lease_owner) WHERE lease_owner IS NOT NULL;
  CREATE INDEX IF NOT EXISTS crashed_messages ON messages (queue, dead, seq) WHERE crashes >= ${SUSPECT_AFTER - 1};
`;

/** The file that holds every queue. Reads are answered at once; writes of one turn share one commit that has reached the disk when they resolve. */
export class QueueFile {
  readonly file: SqliteFile;
  readonly #writes: WriteQueue;

  private constructor(file: SqliteFile) {
    this.file = file;
    this.#writes = new WriteQueue(file, () => {});
  }

  /** Opens and makes the tables. Throws SQLite's error as it is. */
  static async open(path: string): Promise<QueueFile> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Messages hold addresses: nobody else on the machine may read them.
    closeSync(openSync(path, 'a', 0o600));
    return whileLocked(() => {
      const file = new SqliteFile(path);
      try {
        file.exec(SCHEMA);
        return new QueueFile(file);
      } catch (error) {
        file.close();
        throw error;
      }
    });
  }

  /** Runs `work` in a transaction; rejects with `QueueUnavailableError` when the file cannot be written now. */
  async write<T>(work: (file: SqliteFile) => T): Promise<T> {
    try {
      return await this.#writes.submit(() => work(this.file));
    } catch (error) {
      throw new QueueUnavailableError('the queue file cannot be written', { cause: error });
    }
  }

  /** Waits for the writes that are queued. */
  async close(): Promise<void> {
    await this.#writes.close();
    this.file.close();
  }

  /** What a dying process does: nothing more. */
  abandon(): void {
    void this.#writes.close();
    this.file.close();
  }
}

/** Might the file open in a moment (locked, disk full), or is it damaged or not ours? */
export function mayOpenLater(error: unknown): boolean {
  if (isBusy(error)) return true;
  return isStorageFailure(error) && !/NOTADB|CORRUPT/.test(String((error as { code?: unknown }).code));
}
