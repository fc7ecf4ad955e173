/** How long a lease is surely ours: it is renewed while work goes on, and given up for lost in good time when that fails. */
export class Hold {
  readonly #leaseMs: number;
  #renewal: NodeJS.Timeout | undefined;
  #since: number;
  #lost = false;

  /** `since`: when the lease was asked for, by `performance.now()`. */
  constructor(leaseMs: number, since = performance.now()) {
    this.#leaseMs = leaseMs;
    this.#since = since;
  }

  /** False once somebody else may have taken over. */
  get held(): boolean {
    return !this.#lost && performance.now() - this.#since < this.#leaseMs * 0.9;
  }

  /** Another part of the same lease, renewed by itself; lost already when this one is. */
  split(): Hold {
    return new Hold(this.#leaseMs, this.#lost ? Number.NEGATIVE_INFINITY : this.#since);
  }

  /** `renew`: whether all of it is still ours. */
  startRenewing(renew: () => Promise<boolean>): void {
    this.#renewal = setInterval(() => void this.#renew(renew), this.#leaseMs / 3).unref();
  }

  stopRenewing(): void {
    clearInterval(this.#renewal);
  }

  async #renew(renew: () => Promise<boolean>): Promise<void> {
    const startedAt = performance.now();
    try {
      if (await renew()) this.#since = startedAt;
      else this.#lost = true;
    } catch {
      // Not renewed: `held` turns false by itself when the database does not come back in time.
    }
  }
}
