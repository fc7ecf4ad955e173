/** Failures against one account (or one email that nobody has) since the last success. */
export interface FailureCount {
  readonly failures: number;
  readonly lastAt: Date;
}

const maximumDelay = 15 * 60;

/** Failures that cost nothing before the delay begins. */
export function freeFailures(scale: number): number {
  return Math.max(1, Math.round(5 * scale));
}

/** Failures are forgotten a day after the last one: long enough that waiting them out is slower than the longest delay (S19). */
export const failuresKeptFor = 24 * 60 * 60;

/** Seconds to wait after the last of `failures`: none below 5, then 1, 2, 4 … up to 15 min; a delay, never a lock (S19, S21). */
export function delayAfter(failures: number, scale: number): number {
  const excess = failures - freeFailures(scale);
  return excess < 0 ? 0 : Math.min(2 ** excess, maximumDelay);
}

/** When the next attempt may be made, in ms since the epoch. */
export function nextAttemptAt(count: FailureCount, scale: number): number {
  return count.lastAt.getTime() + delayAfter(count.failures, scale) * 1000;
}
