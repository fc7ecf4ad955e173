import { createIndex, dropIndex, listIndexes } from '../collection/index-building.js';
import { readProjection } from '../collection/projection.js';
import { count, type SearchOptions, search, searchScan } from '../collection/search.js';
import { readSortOrder } from '../collection/sort-documents.js';
import type { Storage } from '../collection/storage.js';
import { UnsupportedOperationError } from '../errors.js';
import { explainScan } from '../filter/explain-scan.js';
import { fieldValues } from '../index/field-values.js';
import { encodeKey } from '../index/key-order.js';
import { plainFilter } from '../storage/plain-values.js';
import type { StoredDocument } from '../storage/value-types.js';
import { bulkWrite, insertMany } from './bulk-write.js';
import { type ExplainedScan, FindCursor } from './find-cursor.js';
import { checkOptions, countOption, type OperationOptions } from './operation-options.js';
import * as writes from './single-writes.js';

type Filter = object | undefined | null;

/** A collection with the methods, arguments and results of MongoDB's Node driver, as far as they are supported. */
export class DocumentCollection {
  constructor(
    readonly storage: Storage,
    readonly collectionName: string,
  ) {}

  find(filter?: Filter, options?: OperationOptions): FindCursor {
    const own = checkOptions('find', options);
    const plain = plainFilter(filter);
    const order = readSortOrder(own.sort);
    const project = readProjection(own.projection);
    const bounds = { order, skip: countOption(own.skip), limit: countOption(own.limit) };
    return new FindCursor(
      () =>
        this.storage.read(() =>
          search(this.storage, this.collectionName, plain, bounds).map(({ document }) => project(document)),
        ),
      () => this.storage.read(() => this.#explain(plain, bounds)),
    );
  }

  async findOne(filter?: Filter, options?: OperationOptions): Promise<StoredDocument | null> {
    const documents = await this.find(filter, { ...checkOptions('findOne', options), limit: 1 }).toArray();
    return documents[0] ?? null;
  }

  async countDocuments(filter?: Filter, options?: OperationOptions): Promise<number> {
    const own = checkOptions('countDocuments', options);
    const plain = plainFilter(filter);
    const all = await this.storage.read(() => count(this.storage, this.collectionName, plain));
    const beyond = Math.max(0, all - countOption(own.skip));
    return countOption(own.limit) > 0 ? Math.min(beyond, countOption(own.limit)) : beyond;
  }

  async estimatedDocumentCount(): Promise<number> {
    return this.storage.read(() => count(this.storage, this.collectionName, {}));
  }

  async distinct(field: string, filter?: Filter, options?: OperationOptions): Promise<unknown[]> {
    checkOptions('distinct', options);
    const plain = plainFilter(filter);
    const found = await this.storage.read(() => search(this.storage, this.collectionName, plain));
    const values = found.flatMap(({ document }) => fieldValues(document, field).values.flat());
    const byKey = new Map(
      values.filter((value) => value !== undefined).map((value) => [encodeKey(value).toString('latin1'), value]),
    );
    return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);
  }

  insertOne = async (document: object, options?: OperationOptions) => writes.insertOne(this, document, options);
  insertMany = async (documents: object[], options?: OperationOptions) => insertMany(this, documents, options);
  bulkWrite = async (operations: object[], options?: OperationOptions) => bulkWrite(this, operations, options);
  updateOne = async (filter: Filter, update: object, options?: OperationOptions) =>
    writes.update(this, 'updateOne', filter, update, options);
  updateMany = async (filter: Filter, update: object, options?: OperationOptions) =>
    writes.update(this, 'updateMany', filter, update, options);
  replaceOne = async (filter: Filter, document: object, options?: OperationOptions) =>
    writes.update(this, 'replaceOne', filter, document, options);
  deleteOne = async (filter: Filter, options?: OperationOptions) => writes.remove(this, 'deleteOne', filter, options);
  deleteMany = async (filter: Filter, options?: OperationOptions) => writes.remove(this, 'deleteMany', filter, options);
  findOneAndUpdate = async (filter: Filter, update: object, options?: OperationOptions) =>
    writes.findOneAndChange(this, 'findOneAndUpdate', filter, update, options);
  findOneAndReplace = async (filter: Filter, document: object, options?: OperationOptions) =>
    writes.findOneAndChange(this, 'findOneAndReplace', filter, document, options);
  findOneAndDelete = async (filter: Filter, options?: OperationOptions) =>
    writes.findOneAndDelete(this, filter, options);

  async createIndex(key: Record<string, unknown>, options: OperationOptions = {}): Promise<string> {
    checkOptions('createIndex', options);
    return this.storage.writes.submit(() => createIndex(this.storage, this.collectionName, key, options));
  }

  async createIndexes(indexes: Array<{ key: Record<string, unknown> } & OperationOptions>): Promise<string[]> {
    return Promise.all(indexes.map(({ key, ...options }) => this.createIndex(key, options)));
  }

  async dropIndex(name: string): Promise<object> {
    if (typeof name !== 'string' || name === '*')
      throw new UnsupportedOperationError(`dropIndex of ${JSON.stringify(name)}`);
    await this.storage.writes.submit(() => dropIndex(this.storage, this.collectionName, name));
    return { ok: 1 };
  }

  listIndexes(): { toArray(): Promise<Record<string, unknown>[]> } {
    return { toArray: () => this.indexes() };
  }

  async indexes(): Promise<Record<string, unknown>[]> {
    return this.storage.read(() => listIndexes(this.storage, this.collectionName));
  }

  async drop(): Promise<boolean> {
    return this.storage.writes.submit(() => {
      const collection = this.storage.catalog.collection(this.collectionName);
      if (collection !== undefined) this.storage.catalog.dropCollection(collection);
      return collection !== undefined;
    });
  }

  #explain(filter: StoredDocument, options: SearchOptions): ExplainedScan {
    const collection = this.storage.catalog.collection(this.collectionName);
    if (collection === undefined) return { indexes: [], sorted: false, scan: { kind: 'collection' }, plan: [] };
    return explainScan(this.storage.file, collection, searchScan(this.storage, collection, filter, options));
  }
}
