/** The one source of wall-clock time, injected everywhere so that tests can turn it. Leases use the database's clock instead. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
