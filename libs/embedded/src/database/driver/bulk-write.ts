import mongoose from 'mongoose';
import { DatabaseUnavailableError, UnsupportedOperationError } from '../errors.js';
import type { DocumentCollection } from './document-collection.js';
import { checkOptions, type OperationOptions } from './operation-options.js';
import { type PreparedWrite, prepareChange, prepareDelete, prepareInsert } from './single-writes.js';

export interface BulkResult {
  ok: number;
  acknowledged: boolean;
  insertedCount: number;
  matchedCount: number;
  modifiedCount: number;
  deletedCount: number;
  upsertedCount: number;
  insertedIds: Record<number, unknown>;
  upsertedIds: Record<number, unknown>;
}

/** What one operation adds to the result; run once it is done. */
type Tally = (result: BulkResult, position: number) => void;

interface Failure {
  readonly index: number;
  readonly error: Error & { code?: number };
}

/** Ordered: the first failure ends it, what came before stays. Unordered: every operation is tried. */
export async function bulkWrite(target: DocumentCollection, operations: object[], options?: OperationOptions) {
  const own = checkOptions('bulkWrite', options);
  const prepared = operations.map((operation) => prepare(target, operation));
  return runAll(target, prepared, own.ordered !== false);
}

export async function insertMany(target: DocumentCollection, documents: object[], options?: OperationOptions) {
  const own = checkOptions('insertMany', options);
  const prepared = documents.map((document) => prepare(target, { insertOne: { document } }));
  const { insertedCount, insertedIds } = await runAll(target, prepared, own.ordered !== false);
  return { acknowledged: true, insertedCount, insertedIds };
}

async function runAll(
  target: DocumentCollection,
  prepared: ReadonlyArray<PreparedWrite<Tally>>,
  ordered: boolean,
): Promise<BulkResult> {
  const result: BulkResult = {
    ok: 1,
    acknowledged: true,
    insertedCount: 0,
    matchedCount: 0,
    modifiedCount: 0,
    deletedCount: 0,
    upsertedCount: 0,
    insertedIds: {},
    upsertedIds: {},
  };
  const failures: Failure[] = [];
  // Every operation is a write of its own, so that one that fails takes nothing else with it; they share a commit, for
  // "ordered" as well: an operation behind the failed one does nothing. A commit may be tried again, hence the position.
  let failedAt = Number.POSITIVE_INFINITY;
  const runOne = (write: PreparedWrite<Tally>, index: number): Tally | undefined => {
    if (ordered && failedAt < index) return undefined;
    if (failedAt === index) failedAt = Number.POSITIVE_INFINITY;
    try {
      return write();
    } catch (error) {
      failedAt = Math.min(failedAt, index);
      throw error;
    }
  };
  const tries = prepared.map((write, index) =>
    target.storage.writes
      .submit(() => runOne(write, index))
      .then(
        (tally) => tally?.(result, index),
        (error) => {
          failedAt = Math.min(failedAt, index);
          failures.push({ index, error });
        },
      ),
  );
  await Promise.all(tries);
  const unavailable = failures.find(({ error }) => error instanceof DatabaseUnavailableError);
  if (unavailable) throw unavailable.error;
  if (failures.length > 0) throw bulkError(failures, result);
  return result;
}

function bulkError(failures: readonly Failure[], result: BulkResult): Error {
  const writeErrors = failures.map(({ index, error }) => {
    const err = { index, code: error.code ?? 1, errmsg: error.message };
    return { err, index, code: err.code, errmsg: err.errmsg };
  });
  const first = failures[0] as Failure;
  const { MongoBulkWriteError } = mongoose.mongo;
  const details = { message: first.error.message, code: first.error.code ?? 1, writeErrors };
  const error = new MongoBulkWriteError(details as never, result as never);
  const { keyPattern, keyValue } = first.error as { keyPattern?: object; keyValue?: object };
  return keyPattern ? Object.assign(error, { keyPattern, keyValue }) : error;
}

function prepare(target: DocumentCollection, operation: object): PreparedWrite<Tally> {
  const [name = '', content] = Object.entries(operation)[0] ?? [];
  const { filter, update, replacement, document, ...options } = (content ?? {}) as Record<string, unknown> & {
    filter?: object;
  };
  if (name === 'insertOne') {
    const insert = prepareInsert(target, (document ?? content) as object);
    return () => {
      const { insertedId } = insert();
      return (result, position) => {
        result.insertedCount++;
        result.insertedIds[position] = insertedId;
      };
    };
  }
  if (name === 'updateOne' || name === 'updateMany' || name === 'replaceOne') {
    const change = prepareChange(target, name, filter, (update ?? replacement) as object, options);
    return () => {
      const { matched, modified, upserted } = change();
      return (result, position) => {
        result.matchedCount += matched;
        result.modifiedCount += modified;
        if (upserted === undefined) return;
        result.upsertedCount++;
        result.upsertedIds[position] = upserted._id;
      };
    };
  }
  if (name === 'deleteOne' || name === 'deleteMany') {
    const remove = prepareDelete(target, name, filter, options);
    return () => {
      const deleted = remove();
      return (result) => {
        result.deletedCount += deleted.length;
      };
    };
  }
  throw new UnsupportedOperationError(`${name} in bulkWrite`);
}
