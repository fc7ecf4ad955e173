import { Problem } from './problem.js';
import { withinTime } from './within-time.js';

/**
 * The result of `work`, or `service-unavailable` once `milliseconds` are over. Work is not begun when they already are; what comes late is dropped. What is there at once
 * needs no timer and is returned as it is.
 */
export function withDeadline<T>(milliseconds: number, work: () => T | Promise<T>): T | Promise<T> {
  if (!(milliseconds > 0)) throw overdue();
  const result = work();
  return result instanceof Promise ? withinTime(milliseconds, () => result, overdue) : result;
}

function overdue(): Problem {
  return new Problem('service-unavailable', { detail: 'The answer took too long' });
}
