import { Journal } from './journal.js';
import type { Kind, Kinds } from './objects.js';

/** The simulator's objects, in memory and in the journal. Objects are never changed in place: `put` replaces them. */
export class Store {
  readonly #kinds = new Map<Kind, Map<string, unknown>>();
  readonly #slack: number;
  readonly #journal: Journal;
  #staged: Map<string, readonly [Kind, string, unknown]> | undefined;

  /** `slack`: the file is written anew when it has so many lines more than objects. */
  constructor(directory: string, slack = 5_000) {
    this.#slack = slack;
    this.#journal = Journal.open(directory, ([kind, id, value]) => this.#set(kind as Kind, id, value));
  }

  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const staged = this.#staged?.get(`${kind}/${id}`);
    return (staged === undefined ? this.#kinds.get(kind)?.get(id) : (staged[2] ?? undefined)) as Kinds[K] | undefined;
  }

  /** In the order they were made. */
  all<K extends Kind>(kind: K): Kinds[K][] {
    const found = new Map(this.#kinds.get(kind));
    for (const [stagedKind, id, value] of this.#staged?.values() ?? []) {
      if (stagedKind !== kind) continue;
      if (value === null) found.delete(id);
      else found.set(id, value);
    }
    return [...found.values()] as Kinds[K][];
  }

  put<K extends Kind>(kind: K, value: Kinds[K]): Kinds[K] {
    this.#stage(kind, value.id, value);
    return value;
  }

  remove(kind: Kind, id: string): void {
    this.#stage(kind, id, null);
  }

  /** Everything that `work` puts is one change: durable when this returns, undone when it throws. */
  change<T>(work: () => T): T {
    if (this.#staged !== undefined) return work();
    this.#staged = new Map();
    try {
      const result = work();
      const entries = [...this.#staged.values()];
      if (entries.length > 0) this.#journal.append(entries);
      for (const [kind, id, value] of entries) this.#set(kind, id, value);
      return result;
    } finally {
      this.#staged = undefined;
      this.#compactWhenLong();
    }
  }

  /** Lines of the journal. */
  get lines(): number {
    return this.#journal.lines;
  }

  close(): void {
    this.#journal.close();
  }

  #stage(kind: Kind, id: string, value: unknown): void {
    if (this.#staged === undefined) throw new Error('objects change inside of change() only');
    this.#staged.set(`${kind}/${id}`, [kind, id, value]);
  }

  #set(kind: Kind, id: string, value: unknown): void {
    let objects = this.#kinds.get(kind);
    if (objects === undefined) {
      objects = new Map();
      this.#kinds.set(kind, objects);
    }
    if (value === null) objects.delete(id);
    else objects.set(id, value);
  }

  #compactWhenLong(): void {
    const live = [...this.#kinds.values()].reduce((sum, objects) => sum + objects.size, 0);
    if (this.#journal.lines > live + this.#slack) this.#journal.compact(this.#entries());
  }

  *#entries() {
    for (const [kind, objects] of this.#kinds) for (const [id, value] of objects) yield [kind, id, value] as const;
  }
}
