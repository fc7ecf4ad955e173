import { Problem } from './problem.js';
import { withinTime } from './within-time.js';

/**
 * The result of `work`, or `service-unavailable` once `milliseconds` are over. Work is not begun when they already are; what comes late is dropped.
 */
export async function withDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  if (!(milliseconds > 0)) throw overdue();
  return withinTime(milliseconds, work, overdue);
}

function overdue(): Problem {
  return new Problem('service-unavailable', { detail: 'The answer took too long' });
}
