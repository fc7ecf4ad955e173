const LONGEST_SECONDS = 10;

/** Stops the relay while the engine is away: 1 s, 2 s, 4 s … 10 s, and on by itself (O4). */
export class Pause {
  readonly #random: () => number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(random: () => number, onEnd: () => void) {
    this.#random = random;
    this.#onEnd = onEnd;
  }

  get active(): boolean {
    return this.#timer !== undefined;
  }

  begin(): void {
    if (this.active) return;
    const seconds = Math.min(LONGEST_SECONDS, 2 ** this.#failures) * (0.8 + 0.2 * this.#random());
    this.#failures += 1;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onEnd();
    }, seconds * 1000);
  }

  /** Something was confirmed again. */
  reset(): void {
    if (!this.active) this.#failures = 0;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
