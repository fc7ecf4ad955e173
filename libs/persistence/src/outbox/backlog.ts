import type { OutboxModel } from './aggregates.js';

export interface Work {
  readonly key: string;
  readonly model: OutboxModel;
  readonly id: unknown;
}

/** What does not fit is found by the sweep. */
const MAX_WAITING = 10_000;
const RESTED_MS = 2_000;

/** Aggregates that wait to be published, each once; one under way is noted and taken again after it. Bounded. */
export class Backlog {
  readonly #waiting = new Map<string, Work>();
  readonly #underWay = new Map<string, { again: boolean }>();
  readonly #resting = new Map<string, number>();

  /** There is something new in this aggregate. */
  add(model: OutboxModel, id: unknown): void {
    const key = keyOf(model, id);
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) underWay.again = true;
    else if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, { key, model, id });
  }

  /** The sweep saw this aggregate: taken, and true, unless it is under way or failed a moment ago. */
  found(model: OutboxModel, id: unknown): boolean {
    const key = keyOf(model, id);
    if (this.#underWay.has(key) || (this.#resting.get(key) ?? 0) > performance.now()) return false;
    this.add(model, id);
    return true;
  }

  /** The first that waits and those behind it of the same model, `most` at most; empty when none waits. */
  take(most: number): Work[] {
    const taken: Work[] = [];
    for (const [key, work] of this.#waiting) {
      if (taken.length === most) break;
      if (taken[0] !== undefined && taken[0].model !== work.model) break;
      this.#waiting.delete(key);
      this.#underWay.set(key, { again: false });
      taken.push(work);
    }
    return taken;
  }

  done(work: Work, outcome: 'well' | 'failed'): void {
    const again = this.#underWay.get(work.key)?.again === true;
    this.#underWay.delete(work.key);
    this.#resting.delete(work.key);
    if (outcome === 'failed' && this.#resting.size < MAX_WAITING) {
      this.#resting.set(work.key, performance.now() + RESTED_MS);
    }
    if (again) this.add(work.model, work.id);
  }

  clear(): void {
    this.#waiting.clear();
  }

  get size(): number {
    return this.#waiting.size;
  }
}

function keyOf(model: OutboxModel, id: unknown): string {
  return `${model.collection.name}/${String(id)}`;
}
