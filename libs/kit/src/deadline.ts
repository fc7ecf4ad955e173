import { Problem } from './problem.js';

const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The result of `work`, or `service-unavailable` once `milliseconds` are over. Work is not begun when they already are; what comes late is dropped.
 */
export function withDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  if (!(milliseconds > 0)) return Promise.reject(overdue());
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(overdue()), Math.min(milliseconds, LONGEST_TIMER));
    work().then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

function overdue(): Problem {
  return new Problem('service-unavailable', { detail: 'The answer took too long' });
}
