import { ObjectId } from 'bson';
import {
  type Change,
  type ChangeResult,
  changeDocuments,
  deleteDocuments,
  operatorChange,
  replacement,
} from '../collection/changes.js';
import { insertDocument } from '../collection/entries.js';
import { readProjection } from '../collection/projection.js';
import { readSortOrder } from '../collection/sort-documents.js';
import { UnsupportedOperationError } from '../errors.js';
import { plainDocument, plainFilter } from '../storage/plain-values.js';
import type { StoredDocument } from '../storage/value-types.js';
import { readUpdate } from '../update/apply-update.js';
import { arrayFiltersByName, type Positions } from '../update/positions.js';
import { withId } from '../update/upsert-document.js';
import type { DocumentCollection } from './document-collection.js';
import { checkOptions, type OperationOptions } from './operation-options.js';

type Filter = object | undefined | null;

/** A write that is read and checked, to be run within the write queue. */
export type PreparedWrite<T> = () => T;

export function prepareInsert(target: DocumentCollection, given: object): PreparedWrite<{ insertedId: unknown }> {
  const source = given as { _id?: unknown };
  // As MongoDB's driver does, the caller's document gets the id that is made for it.
  if (source._id === undefined) source._id = new ObjectId();
  const document = withId(plainDocument(given));
  const { storage, collectionName } = target;
  return () => {
    insertDocument(storage, storage.catalog.createCollection(collectionName), document);
    return { insertedId: source._id };
  };
}

export async function insertOne(target: DocumentCollection, document: object, options?: OperationOptions) {
  checkOptions('insertOne', options);
  return { acknowledged: true, ...(await target.storage.writes.submit(prepareInsert(target, document))) };
}

/** Reads an update or replacement with its filter and options, and checks all of it before anything is queued. */
export function prepareChange(
  target: DocumentCollection,
  operation: string,
  givenFilter: Filter,
  content: object,
  given: OperationOptions | undefined,
): PreparedWrite<ChangeResult> {
  const options = checkOptions(operation, given);
  const { storage, collectionName } = target;
  const filter = plainFilter(givenFilter);
  const bounds = operation === 'updateMany' ? {} : { limit: 1, order: readSortOrder(options.sort) };
  const change = readChange(target, operation, filter, content, options);
  return () => changeDocuments(storage, collectionName, filter, bounds, change);
}

function readChange(
  target: DocumentCollection,
  operation: string,
  filter: StoredDocument,
  content: object,
  options: OperationOptions,
): Change {
  if (Array.isArray(content)) throw new UnsupportedOperationError(`${operation} with an aggregation pipeline`);
  const plain = plainDocument(content);
  const upsert = options.upsert === true;
  if (/replace/i.test(operation)) return replacement(filter, plain, upsert);
  const arrayFilters = plainFilter({ list: options.arrayFilters ?? [] }).list as StoredDocument[];
  // One operation has one time, in whichever fields it is written (MongoDB: `$currentDate`, `$$NOW`).
  let time: Date | undefined;
  const now = () => {
    time ??= target.storage.now();
    return time;
  };
  const positions: Positions = { filter, arrayFilters: arrayFiltersByName(arrayFilters), now };
  return operatorChange(readUpdate(plain), positions, upsert);
}

export function updateResult(result: ChangeResult) {
  return {
    acknowledged: true,
    matchedCount: result.matched,
    modifiedCount: result.modified,
    upsertedCount: result.upserted === undefined ? 0 : 1,
    upsertedId: result.upserted === undefined ? null : result.upserted._id,
  };
}

export async function update(
  target: DocumentCollection,
  operation: string,
  filter: Filter,
  content: object,
  options?: OperationOptions,
) {
  return updateResult(await target.storage.writes.submit(prepareChange(target, operation, filter, content, options)));
}

/** Returns the document (before, or after with `returnDocument: 'after'`), or with `includeResultMetadata` MongoDB's answer around it. */
export async function findOneAndChange(
  target: DocumentCollection,
  operation: string,
  filter: Filter,
  content: object,
  options: OperationOptions = {},
) {
  const project = readProjection(options.projection);
  const result = await target.storage.writes.submit(prepareChange(target, operation, filter, content, options));
  const document = options.returnDocument === 'after' ? result.after : result.before?.();
  const value = document === undefined ? null : project(document);
  if (options.includeResultMetadata !== true) return value;
  const lastErrorObject = {
    n: result.matched + (result.upserted === undefined ? 0 : 1),
    updatedExisting: result.matched > 0,
    ...(result.upserted === undefined ? {} : { upserted: result.upserted._id }),
  };
  return { value, lastErrorObject, ok: 1 };
}

export function prepareDelete(
  target: DocumentCollection,
  operation: string,
  given: Filter,
  options: OperationOptions | undefined,
): PreparedWrite<StoredDocument[]> {
  const own = checkOptions(operation, options);
  const filter = plainFilter(given);
  const bounds = operation === 'deleteMany' ? {} : { limit: 1, order: readSortOrder(own.sort) };
  return () => deleteDocuments(target.storage, target.collectionName, filter, bounds);
}

export async function remove(
  target: DocumentCollection,
  operation: string,
  filter: Filter,
  options?: OperationOptions,
) {
  const deleted = await target.storage.writes.submit(prepareDelete(target, operation, filter, options));
  return { acknowledged: true, deletedCount: deleted.length };
}

export async function findOneAndDelete(target: DocumentCollection, filter: Filter, options: OperationOptions = {}) {
  const project = readProjection(options.projection);
  const [deleted] = await target.storage.writes.submit(prepareDelete(target, 'findOneAndDelete', filter, options));
  const value = deleted === undefined ? null : project(deleted);
  return options.includeResultMetadata === true ? { value, lastErrorObject: { n: deleted ? 1 : 0 }, ok: 1 } : value;
}
