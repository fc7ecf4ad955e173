import type { Storage } from '../collection/storage.js';
import { serverError, UnsupportedOperationError } from '../errors.js';
import { DocumentCollection } from './document-collection.js';

/** What `connection.db` is: the part of MongoDB's `Db` that mongoose and health checks use. */
export class EmbeddedDatabase {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get databaseName(): string {
    return this.#storage.options.path;
  }

  collection(name: string): DocumentCollection {
    return new DocumentCollection(this.#storage, name);
  }

  /** Throws code 48 when it exists, which mongoose expects and passes over. */
  async createCollection(name: string, options: Record<string, unknown> = {}): Promise<DocumentCollection> {
    for (const option of [
      'capped',
      'timeseries',
      'collation',
      'validator',
      'clusteredIndex',
      'viewOn',
      'expireAfterSeconds',
    ]) {
      if (options[option]) throw new UnsupportedOperationError(`the collection option ${option}`);
    }
    const { catalog, writes } = this.#storage;
    const refusePresent = () => {
      if (catalog.collection(name)) throw serverError(48, `Collection ${name} already exists.`);
    };
    // Every start asks for every collection: that most are there is found without a write.
    await this.#storage.read(refusePresent);
    await writes.submit(() => {
      refusePresent();
      catalog.createCollection(name);
    });
    return this.collection(name);
  }

  async dropCollection(name: string): Promise<boolean> {
    return this.collection(name).drop();
  }

  async dropDatabase(): Promise<boolean> {
    return this.#storage.writes.submit(() => {
      for (const collection of this.#storage.catalog.collections()) this.#storage.catalog.dropCollection(collection);
      return true;
    });
  }

  listCollections(): { toArray(): Promise<{ name: string; type: string }[]> } {
    const list = () => this.#storage.catalog.collections().map(({ name }) => ({ name, type: 'collection' }));
    return { toArray: () => this.#storage.read(list) };
  }

  /** Only `{ ping: 1 }`: reads from the file, so that a health check notices one that cannot be read. */
  async command(command: Record<string, unknown>): Promise<{ ok: 1 }> {
    const name = Object.keys(command)[0] ?? '';
    if (name !== 'ping') throw serverError(59, `no such command: '${name}'`);
    await this.#storage.read(() => this.#storage.file.first('SELECT count(*) FROM latchkey_collections'));
    return { ok: 1 };
  }

  admin(): { ping(): Promise<{ ok: 1 }>; command(command: Record<string, unknown>): Promise<{ ok: 1 }> } {
    return { ping: () => this.command({ ping: 1 }), command: (command) => this.command(command) };
  }
}
