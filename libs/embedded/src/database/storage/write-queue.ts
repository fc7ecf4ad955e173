import mongoose from 'mongoose';
import { whileLocked } from './lock-patience.js';
import { LogFlush } from './log-flush.js';
import { asUnavailable, isFileFailure, type SqliteFile } from './sqlite-file.js';

/** Past this many writes a commit is made, so that one turn of the event loop stays short. */
const WRITES_PER_COMMIT = 200;

interface QueuedWrite {
  readonly write: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Brings to the disk what was committed before. */
export interface Flush {
  run(): Promise<void>;
  close(): Promise<void>;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * Writes that arrive in one turn of the event loop share one transaction, and transactions that are committed while a flush to disk is under way share
 * the next one ("group commit"). Each write keeps its own outcome: one that fails is undone alone. None is answered before it is on the disk, be it with a
 * refusal, which may rest on another's write; when the transaction fails as a whole (disk full, lock not obtained), all of its writes fail and none was
 * kept; when the flush fails, all of them fail, and whether they were kept is unknown. A write may be run more than once before it counts (the lock was
 * taken, another write of the transaction was refused), so it must do nothing but work on the file.
 */
export class WriteQueue {
  readonly #file: SqliteFile;
  readonly #undone: () => void;
  readonly #flush: Flush;
  #waiting: QueuedWrite[] = [];
  #running: Promise<void> | undefined;
  /** Told when their flush is done, with its error if it failed. */
  #unflushed: ((failure?: unknown) => void)[] = [];
  #flushing: Promise<void> | undefined;
  #closed = false;

  /** @param undone told after anything was rolled back, so that what is remembered of the file can be read again. */
  constructor(file: SqliteFile, undone: () => void, flush: Flush = new LogFlush(file)) {
    this.#file = file;
    this.#undone = undone;
    this.#flush = flush;
  }

  submit<T>(write: () => T): Promise<T> {
    if (this.#closed)
      return Promise.reject(new mongoose.mongo.MongoNotConnectedError('the embedded database is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ write, resolve: resolve as (result: unknown) => void, reject });
      this.#running ??= new Promise<void>((begin) => setImmediate(begin)).then(() => this.#drain());
    });
  }

  /** Takes no more writes; resolves when those queued are done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#flushing;
    await this.#flush.close();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, WRITES_PER_COMMIT);
      try {
        const outcomes = await whileLocked(() => this.#commit(batch));
        this.#answerWhenFlushed((failure) => {
          batch.forEach((queued, at) => {
            const outcome = outcomes[at] as Outcome;
            if (failure !== undefined) queued.reject(failure);
            else if ('error' in outcome) queued.reject(outcome.error);
            else queued.resolve(outcome.result);
          });
        });
      } catch (error) {
        for (const queued of batch) queued.reject(asUnavailable(error));
      }
      // The event loop goes on in between; later arrivals form the next commit.
      if (this.#waiting.length > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#running = undefined;
  }

  #answerWhenFlushed(answer: (failure?: unknown) => void): void {
    this.#unflushed.push(answer);
    this.#flushing ??= this.#flushAll();
  }

  async #flushAll(): Promise<void> {
    while (this.#unflushed.length > 0) {
      // Commits that come while this flush runs are not covered by it.
      const covered = this.#unflushed.splice(0);
      const failure = await this.#flush.run().then(
        () => undefined,
        (error: unknown) => error,
      );
      for (const answer of covered) answer(failure);
    }
    this.#flushing = undefined;
  }

  /** Hardly any write is refused, so savepoints, which cost as much as the rest of a small transaction, come only once one was. */
  #commit(batch: readonly QueuedWrite[]): Outcome[] {
    try {
      return this.#transaction(() => batch.map(({ write }) => ({ result: write() })));
    } catch (error) {
      if (isFileFailure(error)) throw error;
      return batch.length === 1 ? [{ error }] : this.#transaction(() => batch.map((queued) => this.#apply(queued)));
    }
  }

  /** Start to end without yielding: nothing else of this process can come between. */
  #transaction(work: () => Outcome[]): Outcome[] {
    this.#file.beginWrite();
    try {
      const outcomes = work();
      this.#file.exec('COMMIT');
      return outcomes;
    } catch (error) {
      // SQLite itself may have rolled back already, as it does when the disk is full.
      if (this.#file.inTransaction) this.#file.exec('ROLLBACK');
      this.#undone();
      throw error;
    }
  }

  #apply(queued: QueuedWrite): Outcome {
    this.#file.run('SAVEPOINT one_write');
    try {
      const result = queued.write();
      this.#file.run('RELEASE one_write');
      return { result };
    } catch (error) {
      if (isFileFailure(error) || !this.#file.inTransaction) throw error;
      this.#file.run('ROLLBACK TO one_write');
      this.#file.run('RELEASE one_write');
      this.#undone();
      return { error };
    }
  }
}
