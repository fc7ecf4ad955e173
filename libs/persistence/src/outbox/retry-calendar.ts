import type { OutboxEntry } from '../aggregate.js';

const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 300_000;
const MAX_REMEMBERED = 10_000;

/** When an entry that failed may be tried again: after 2 s, 4 s … 5 min. In memory only: a restart tries at once. */
export class RetryCalendar {
  readonly #until = new Map<string, number>();

  isDue(entry: OutboxEntry): boolean {
    const until = this.#until.get(entry.id);
    return until === undefined || until <= performance.now();
  }

  failed(entry: OutboxEntry): void {
    this.#until.delete(entry.id);
    if (this.#until.size >= MAX_REMEMBERED) {
      for (const oldest of this.#until.keys()) {
        this.#until.delete(oldest);
        break;
      }
    }
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (entry.attempts ?? 0));
    this.#until.set(entry.id, performance.now() + delay);
  }

  settled(entryIds: readonly string[]): void {
    for (const id of entryIds) this.#until.delete(id);
  }
}
