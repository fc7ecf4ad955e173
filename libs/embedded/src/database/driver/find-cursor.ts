import type { Scan } from '../filter/scan.js';
import type { StoredDocument } from '../storage/value-types.js';

/**
 * The part of MongoDB's cursor that mongoose and the services use. All documents are read at the first call; a `limit`
 * bounds what that takes.
 */
export class FindCursor {
  readonly #read: () => Promise<StoredDocument[]>;
  readonly #plan: () => Promise<ExplainedScan>;
  #documents: StoredDocument[] | undefined;
  #position = 0;
  #closed = false;

  constructor(read: () => Promise<StoredDocument[]>, plan: () => Promise<ExplainedScan>) {
    this.#read = read;
    this.#plan = plan;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async toArray(): Promise<StoredDocument[]> {
    const rest = (await this.#all()).slice(this.#position);
    await this.close();
    return rest;
  }

  async next(): Promise<StoredDocument | null> {
    if (this.#closed) return null;
    return (await this.#all())[this.#position++] ?? null;
  }

  async hasNext(): Promise<boolean> {
    return !this.#closed && this.#position < (await this.#all()).length;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StoredDocument> {
    for (let document = await this.next(); document !== null; document = await this.next()) yield document;
  }

  /** mongoose sets `noCursorTimeout` and the like; there is no server that would drop the cursor. */
  addCursorFlag(): this {
    return this;
  }

  rewind(): void {
    this.#position = 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#documents = [];
    this.#position = 0;
  }

  /** How the documents would be found, with SQLite's own plan. */
  explain(): Promise<ExplainedScan> {
    return this.#plan();
  }

  async #all(): Promise<StoredDocument[]> {
    this.#documents ??= await this.#read();
    return this.#documents;
  }
}

export interface ExplainedScan {
  /** Names of the indexes used, `_id_` for the primary key; none when the whole collection is read. */
  readonly indexes: string[];
  /** The order asked for comes from the index. */
  readonly sorted: boolean;
  readonly scan: Scan;
  /** Lines of EXPLAIN QUERY PLAN. */
  readonly plan: string[];
}
