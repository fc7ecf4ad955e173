import { Problem } from '@latchkey/kit';
import type { Turns } from './turns.js';

const MAX_TRIES = 30;
const TIME_LIMIT_MS = 5_000;
const LONGEST_WAIT_MS = 160;

/**
 * The tries of one write that others overtake: in turn with those of the same process, after a small random wait for those of other processes.
 * Gives up after 30 tries or 5 s.
 */
export class Contention {
  readonly #startedAt = performance.now();
  readonly #turns: Turns;
  readonly #key: string;
  readonly #random: () => number;
  #release: (() => void) | undefined;
  #tries = 1;

  constructor(turns: Turns, key: string, random: () => number) {
    this.#turns = turns;
    this.#key = key;
    this.#random = random;
  }

  /** After a lost race, before the next try. Throws `Problem('service-unavailable')` when it has gone on for too long. */
  async lost(): Promise<void> {
    this.#release ??= await this.#turns.take(this.#key, TIME_LIMIT_MS);
    if (this.#tries >= MAX_TRIES || performance.now() - this.#startedAt > TIME_LIMIT_MS) {
      throw new Problem('service-unavailable', { detail: 'Too many changes to this resource at once', retryAfter: 1 });
    }
    const longest = Math.min(LONGEST_WAIT_MS, 2 ** this.#tries - 2);
    this.#tries += 1;
    if (longest > 0) await new Promise((resolve) => setTimeout(resolve, this.#random() * longest));
  }

  /** Lets the next one have its turn. */
  end(): void {
    this.#release?.();
  }
}
