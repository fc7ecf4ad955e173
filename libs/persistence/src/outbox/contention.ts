import { Problem } from '@latchkey/kit';

const MAX_TRIES = 30;
const TIME_LIMIT_MS = 5_000;
const LONGEST_WAIT_MS = 160;

/** Small random waits between tries of one write that others keep overtaking; gives up after 30 tries or 5 s. */
export class Contention {
  readonly #startedAt = performance.now();
  readonly #random: () => number;
  #tries = 1;

  constructor(random: () => number) {
    this.#random = random;
  }

  async backOff(): Promise<void> {
    if (this.#tries >= MAX_TRIES || performance.now() - this.#startedAt > TIME_LIMIT_MS) {
      throw new Problem('service-unavailable', { detail: 'Too many changes to this resource at once', retryAfter: 1 });
    }
    const longest = Math.min(LONGEST_WAIT_MS, 2 ** this.#tries);
    this.#tries += 1;
    await new Promise((resolve) => setTimeout(resolve, this.#random() * longest));
  }
}
