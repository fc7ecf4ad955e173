import mongoose from 'mongoose';
import { startExpiry } from '../collection/expiry.js';
import { Storage, type StorageOptions } from '../collection/storage.js';
import { UnsupportedOperationError } from '../errors.js';
import { DocumentCollection } from './document-collection.js';
import { EmbeddedDatabase } from './embedded-database.js';

// mongoose's driver interface has no types: its base classes are function constructors, and what it calls and sets on
// them (createClient, onOpen, doClose, collection, client, db) is internal (P35). `any` is confined to this file.
// biome-ignore-start lint/suspicious/noExplicitAny: see above
const { BaseCollection, BaseConnection } = mongoose as any;

/** What `connection.getClient()` returns. */
export interface EmbeddedClient {
  readonly storage: Storage;
  startSession(): never;
  bulkWrite(): never;
}

/** Collection methods that run on SQLite; every other method of MongoDB's driver throws by its name. */
const SUPPORTED = [
  'find',
  'findOne',
  'countDocuments',
  'estimatedDocumentCount',
  'distinct',
  'insertOne',
  'insertMany',
  'bulkWrite',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'createIndex',
  'createIndexes',
  'dropIndex',
  'listIndexes',
  'indexes',
  'drop',
] as const satisfies ReadonlyArray<keyof DocumentCollection>;

export class EmbeddedCollection extends BaseCollection {
  /** Truthy once connected: until then mongoose waits before it creates indexes, and without it for ever (P35). */
  get collection(): DocumentCollection | null {
    const storage: Storage | undefined = (this as any).conn?.client?.storage;
    return storage ? new DocumentCollection(storage, (this as any).name) : null;
  }
}

for (const name of Object.getOwnPropertyNames(mongoose.mongo.Collection.prototype)) {
  const isMethod =
    typeof Object.getOwnPropertyDescriptor(mongoose.mongo.Collection.prototype, name)?.value === 'function';
  if (!isMethod || name === 'constructor') continue;
  (EmbeddedCollection.prototype as any)[name] = function unsupported(): never {
    throw new UnsupportedOperationError(`${name}()`);
  };
}
for (const name of SUPPORTED) {
  (EmbeddedCollection.prototype as any)[name] = function delegate(...given: unknown[]): unknown {
    const collection = (this as EmbeddedCollection).collection;
    if (collection === null) {
      const error = new mongoose.mongo.MongoNotConnectedError(
        `cannot call ${name}(): the embedded database is not open`,
      );
      if (name === 'find' || name === 'listIndexes') throw error;
      return Promise.reject(error);
    }
    return (collection as any)[name](...given);
  };
}

/** A driver class for one file, for `new Mongoose().setDriver(...)`. */
export function embeddedDriver(options: StorageOptions) {
  class EmbeddedConnection extends BaseConnection {
    async createClient(): Promise<this> {
      const connection = this as any;
      connection.readyState = mongoose.ConnectionStates.connecting;
      const storage = await Storage.open(options);
      const client: EmbeddedClient = {
        storage,
        startSession: () => {
          throw new UnsupportedOperationError('startSession() (transactions)');
        },
        bulkWrite: () => {
          throw new UnsupportedOperationError('bulkWrite() over several collections');
        },
      };
      connection.client = client;
      connection.db = new EmbeddedDatabase(storage);
      connection.name = options.path;
      connection.stopExpiry = startExpiry(storage);
      connection.onOpen();
      return this;
    }

    async doClose(): Promise<this> {
      const connection = this as any;
      connection.stopExpiry?.();
      const client: EmbeddedClient | undefined = connection.client;
      connection.client = undefined;
      await client?.storage.close();
      return this;
    }
  }
  return { Collection: EmbeddedCollection, Connection: EmbeddedConnection, BulkWriteResult: Object };
}
// biome-ignore-end lint/suspicious/noExplicitAny: see above
