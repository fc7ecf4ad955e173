import type { IndexDefinition } from '../index/index-definition.js';
import { readDocumentText, writeDocumentText } from './document-text.js';
import { type SqliteFile, sqlName } from './sqlite-file.js';

/** An index as it lies in the file. */
export interface StoredIndex {
  readonly definition: IndexDefinition;
  /** The quoted name of its table: (key, row). */
  readonly table: string;
  /** Bit n: some document has (or had) an array in the n-th field. */
  readonly arrayFields: number;
}

export interface StoredCollection {
  readonly name: string;
  /** The quoted name of its table: (row, id, document). */
  readonly table: string;
  readonly indexes: readonly StoredIndex[];
}

const FORMAT = 1;

/**
 * Which collections and indexes the file holds. Remembered until something is rolled back, or another process writes (`PRAGMA data_version`) and what it wrote
 * concerns the catalogue; then read again.
 */
export class Catalog {
  readonly #file: SqliteFile;
  #version: unknown;
  #readState: string | undefined;
  /** The write in which it was last compared: within one, once is enough. */
  #comparedIn: number | undefined;
  #collections = new Map<string, StoredCollection>();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Makes the catalog's own tables in a new file; throws when a newer release wrote the file. Call within a write. */
  prepare(): void {
    const format = Number(this.#file.first('PRAGMA user_version')?.[0] ?? 0);
    if (format > FORMAT) throw new Error(`the database file has format ${format}; this release reads up to ${FORMAT}`);
    if (format === FORMAT) return;
    this.#file.exec('CREATE TABLE latchkey_collections (name TEXT PRIMARY KEY) WITHOUT ROWID');
    this.#file.exec(
      'CREATE TABLE latchkey_indexes (collection TEXT, name TEXT, definition TEXT, array_fields INTEGER, ' +
        'PRIMARY KEY (collection, name)) WITHOUT ROWID',
    );
    this.#file.exec(`PRAGMA user_version = ${FORMAT}`);
  }

  collection(name: string): StoredCollection | undefined {
    return this.#current().get(name);
  }

  /** The collection as it was last read, its indexes perhaps not those of now; undefined when that is not known. */
  lastKnown(name: string): StoredCollection | undefined {
    return this.#version === undefined ? undefined : this.#collections.get(name);
  }

  collections(): StoredCollection[] {
    return [...this.#current().values()];
  }

  /** Call within a write. */
  createCollection(name: string): StoredCollection {
    const present = this.collection(name);
    if (present !== undefined) return present;
    this.#file.exec(
      `CREATE TABLE ${collectionTable(name)} (row INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, document TEXT NOT NULL)`,
    );
    this.#file.run('INSERT INTO latchkey_collections (name) VALUES (?)', name);
    const created = { name, table: collectionTable(name), indexes: [] };
    this.#collections.set(name, created);
    return created;
  }

  /** Call within a write. Makes the index's empty table. */
  addIndex(collection: StoredCollection, definition: IndexDefinition): StoredIndex {
    const table = indexTable(collection.name, definition.name);
    this.#file.exec(`CREATE TABLE ${table} (key BLOB, row INTEGER, PRIMARY KEY (key, row)) WITHOUT ROWID`);
    const text = writeDocumentText({ ...definition });
    this.#file.run('INSERT INTO latchkey_indexes VALUES (?, ?, ?, 0)', collection.name, definition.name, text);
    const index = { definition, table, arrayFields: 0 };
    this.#replaceIndexes(collection, [...collection.indexes, index]);
    return index;
  }

  /** Call within a write. */
  dropIndex(collection: StoredCollection, index: StoredIndex): void {
    this.#file.exec(`DROP TABLE ${index.table}`);
    const name = index.definition.name;
    this.#file.run('DELETE FROM latchkey_indexes WHERE collection = ? AND name = ?', collection.name, name);
    this.#replaceIndexes(
      collection,
      collection.indexes.filter((other) => other !== index),
    );
  }

  /** Call within a write. */
  dropCollection(collection: StoredCollection): void {
    for (const index of collection.indexes) this.#file.exec(`DROP TABLE ${index.table}`);
    this.#file.exec(`DROP TABLE ${collection.table}`);
    this.#file.run('DELETE FROM latchkey_indexes WHERE collection = ?', collection.name);
    this.#file.run('DELETE FROM latchkey_collections WHERE name = ?', collection.name);
    this.#collections.delete(collection.name);
  }

  /** Call within a write, before the first array of a field is listed: range searches depend on it. */
  noteArrays(collectionName: string, index: StoredIndex, arrayFields: number): void {
    if ((index.arrayFields & arrayFields) === arrayFields) return;
    const collection = this.collection(collectionName);
    const current = collection?.indexes.find((other) => other.definition.name === index.definition.name);
    if (collection === undefined || current === undefined) return;
    const all = current.arrayFields | arrayFields;
    if (all === current.arrayFields) return;
    const sql = 'UPDATE latchkey_indexes SET array_fields = ? WHERE collection = ? AND name = ?';
    this.#file.run(sql, all, collectionName, index.definition.name);
    const noted = { ...current, arrayFields: all };
    this.#replaceIndexes(
      collection,
      collection.indexes.map((other) => (other === current ? noted : other)),
    );
  }

  /** Something was rolled back: nothing remembered may be trusted. */
  forget(): void {
    this.#version = undefined;
    this.#readState = undefined;
    this.#comparedIn = undefined;
  }

  #replaceIndexes(collection: StoredCollection, indexes: readonly StoredIndex[]): void {
    this.#collections.set(collection.name, { ...collection, indexes });
  }

  #current(): Map<string, StoredCollection> {
    const write = this.#file.writeUnderWay;
    if (write !== undefined && write === this.#comparedIn) return this.#collections;
    const version = this.#file.first('PRAGMA data_version')?.[0];
    if (version !== this.#version) {
      const state = this.#state();
      if (state !== this.#readState) this.#collections = this.#read();
      this.#readState = state;
      this.#version = version;
    }
    this.#comparedIn = write;
    return this.#collections;
  }

  /** Another one whenever the catalogue is: a collection or an index that comes or goes changes SQLite's schema, and arrays are only ever noted, never forgotten. */
  #state(): string {
    const schema = this.#file.first('PRAGMA schema_version')?.[0];
    const arrays = this.#file.first('SELECT total(array_fields) FROM latchkey_indexes')?.[0];
    return `${schema} ${arrays}`;
  }

  #read(): Map<string, StoredCollection> {
    const collections = new Map<string, StoredCollection>();
    const rows = this.#file.all('SELECT collection, name, definition, array_fields FROM latchkey_indexes');
    for (const [name] of this.#file.all('SELECT name FROM latchkey_collections')) {
      const indexes = rows
        .filter((row) => row[0] === name)
        .map((row) => ({
          definition: readDocumentText(String(row[2])) as unknown as IndexDefinition,
          table: indexTable(String(name), String(row[1])),
          arrayFields: Number(row[3]),
        }));
      collections.set(String(name), { name: String(name), table: collectionTable(String(name)), indexes });
    }
    return collections;
  }
}

function collectionTable(name: string): string {
  return sqlName(`documents:${name}`);
}

function indexTable(collection: string, name: string): string {
  return sqlName(`index:${collection.replaceAll(':', '::')}:${name}`);
}
