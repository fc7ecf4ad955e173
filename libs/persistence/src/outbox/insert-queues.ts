import type { mongo } from 'mongoose';
import { isUnavailable } from '../unavailable.js';

/** Documents of one command at most. */
const MOST = 100;
/** A command that takes longer holds up no other: its connection may be the only thing that hangs. */
const PATIENCE_MS = 100;

/** The part of a driver's collection that inserts need. */
export interface InsertTarget {
  insertOne(document: object): PromiseLike<unknown>;
  insertMany(documents: object[], options: { ordered: false }): PromiseLike<unknown>;
}

interface Waiting {
  readonly document: object;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Inserts into one collection, of one process: those that come while one is under way share the next command, so that a database under load is asked for one
 * durable write where it would be asked for many. Each stands for itself: it ends when its own document is stored as the write concern says, or with the error
 * that it would have met alone.
 */
export class InsertQueues {
  /** Present while a command is under way. */
  readonly #waiting = new Map<InsertTarget, Waiting[]>();

  insert(target: InsertTarget, document: object): Promise<void> {
    return new Promise((resolve, reject) => {
      const insert = { document, resolve, reject };
      const others = this.#waiting.get(target);
      if (others !== undefined) others.push(insert);
      else {
        this.#waiting.set(target, [insert]);
        this.#next(target);
      }
    });
  }

  #next(target: InsertTarget): void {
    const group = this.#waiting.get(target)?.splice(0, MOST) ?? [];
    if (group.length === 0) {
      this.#waiting.delete(target);
      return;
    }
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      clearTimeout(patience);
      this.#next(target);
    };
    const patience = setTimeout(end, PATIENCE_MS);
    void insertGroup(target, group).then(end);
  }
}

async function insertGroup(target: InsertTarget, group: readonly Waiting[]): Promise<void> {
  const [first] = group;
  if (group.length === 1 && first !== undefined) return insertAlone(target, first);
  try {
    await target.insertMany(
      group.map(({ document }) => document),
      { ordered: false },
    );
    for (const { resolve } of group) resolve();
  } catch (error) {
    const refused = refusedOf(error, group.length);
    if (refused === null) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const [at, { resolve }] of group.entries()) if (!refused.has(at)) resolve();
    // Of a bulk the driver tells no key that was taken, and one error for all.
    await Promise.all(group.filter((_, at) => refused.has(at)).map((each) => insertAlone(target, each)));
  }
}

async function insertAlone(target: InsertTarget, { document, resolve, reject }: Waiting): Promise<void> {
  try {
    await target.insertOne(document);
    resolve();
  } catch (error) {
    reject(error);
  }
}

/** Positions of the documents that are not stored, when all the others are, as the write concern says; null when that is not known. */
function refusedOf(error: unknown, count: number): ReadonlySet<number> | null {
  const { name, writeErrors, result } = error as Partial<mongo.MongoBulkWriteError>;
  if (name !== 'MongoBulkWriteError') {
    // Refused before anything was sent, for what one of them holds.
    return isUnavailable(error) ? null : new Set(Array(count).keys());
  }
  const refused = [writeErrors ?? []].flat();
  return refused.length === 0 || result?.getWriteConcernError?.() ? null : new Set(refused.map(({ index }) => index));
}
