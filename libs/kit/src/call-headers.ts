/** Milliseconds that the caller still waits. Relative, since the clocks of two machines differ. */
export const DEADLINE_HEADER = 'latchkey-deadline';

/** On the answer of an instance that has not begun a call because it is starting: another one may take it. */
export const NOT_SERVING_HEADER = 'latchkey-not-serving';

const DEFAULT_MILLISECONDS = 10_000;
const MAX_MILLISECONDS = 120_000;

export function remainingOf(header: string | string[] | undefined): number {
  if (typeof header !== 'string' || !/^\d{1,9}$/.test(header)) return DEFAULT_MILLISECONDS;
  return Math.min(Number(header), MAX_MILLISECONDS);
}
