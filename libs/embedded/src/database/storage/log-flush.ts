import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseUnavailableError } from '../errors.js';

/** What a flush needs of the open file. */
interface Flushable {
  readonly path: string;
  /** Copies the log into the database file, synced; false when somebody reads or writes meanwhile. */
  foldLog(): boolean;
}

/**
 * Brings SQLite's write-ahead log to the disk, off the event loop: what was committed before `run` was called is durable when it resolves.
 * After a failed sync the kernel may take pages for clean that never reached the disk, so that a later sync proves nothing; then the log is
 * folded into the database file instead, which writes them anew. Until that has worked, every flush fails.
 */
export class LogFlush {
  readonly #file: Flushable;
  #log: FileHandle | undefined;
  #failed = false;

  constructor(file: Flushable) {
    this.#file = file;
  }

  /** Throws DatabaseUnavailableError: the writes are in the file, and may or may not survive a loss of power. */
  async run(): Promise<void> {
    try {
      this.#log ??= await this.#open();
      if (!this.#failed) return await this.#log.datasync();
    } catch (error) {
      this.#failed = true;
      if (this.#folded()) return;
      throw new DatabaseUnavailableError('the database could not be brought to the disk', { cause: error });
    }
    if (!this.#folded()) throw new DatabaseUnavailableError('the database could not be brought to the disk');
  }

  async close(): Promise<void> {
    await this.#log?.close();
    this.#log = undefined;
  }

  #folded(): boolean {
    try {
      if (this.#file.foldLog()) this.#failed = false;
    } catch {
      // The disk still fails.
    }
    return !this.#failed;
  }

  /** SQLite keeps the log as long as it is connected. Its entry in the folder has to last too. */
  async #open(): Promise<FileHandle> {
    const log = await open(`${this.#file.path}-wal`, 'r+');
    try {
      await syncFolder(dirname(this.#file.path));
      return log;
    } catch (error) {
      await log.close();
      throw error;
    }
  }
}

/** Not on Windows, which cannot open folders and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
