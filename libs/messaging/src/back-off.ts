const seconds = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400] as const;
const JITTER = 0.2;

/**
 * Seconds until the next try, after `attempt` attempts were spent before the one that failed now: 1, 5, 15, 60 … up to 4 hours, ±20 % so that
 * what failed together does not come back together. `random` gives a number in [0, 1).
 */
export function backOff(attempt: number, random: () => number): number {
  const base = seconds[Math.min(Math.max(0, attempt), seconds.length - 1)] ?? 1;
  return base * (1 - JITTER + 2 * JITTER * random());
}

/** Seconds until the next try while something needed is away: 1, 5, then about 10, so that work goes on within 10 s of its health. */
export function backOffUnavailable(tries: number, random: () => number): number {
  if (tries <= 1) return backOff(tries, random);
  return 8 + 2 * random();
}
