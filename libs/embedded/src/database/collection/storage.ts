import { Catalog } from '../storage/catalog.js';
import { whileLocked } from '../storage/lock-patience.js';
import { asUnavailable, SqliteFile } from '../storage/sqlite-file.js';
import { WriteQueue } from '../storage/write-queue.js';

export interface StorageOptions {
  readonly path: string;
  readonly refuseUnindexedFilters: boolean;
  readonly now: () => Date;
}

/** One database file with all that works on it. */
export class Storage {
  private constructor(
    readonly file: SqliteFile,
    readonly catalog: Catalog,
    readonly writes: WriteQueue,
    readonly options: StorageOptions,
  ) {}

  static async open(options: StorageOptions): Promise<Storage> {
    const file = await whileLocked(() => new SqliteFile(options.path)).catch((error) => {
      throw asUnavailable(error);
    });
    const catalog = new Catalog(file);
    const writes = new WriteQueue(file, () => catalog.forget());
    const storage = new Storage(file, catalog, writes, options);
    try {
      await writes.submit(() => catalog.prepare());
    } catch (error) {
      await writes.close();
      file.close();
      throw error;
    }
    return storage;
  }

  get now(): () => Date {
    return this.options.now;
  }

  /** Runs a read at once; it sees all writes that were answered. */
  async read<T>(read: () => T): Promise<T> {
    try {
      return await whileLocked(read);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Waits for the writes that are queued, then closes the file. */
  async close(): Promise<void> {
    await this.writes.close();
    this.file.close();
  }
}
