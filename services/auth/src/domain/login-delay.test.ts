import { delayAfter, freeFailures, nextAttemptAt } from './login-delay.js';

test('S19 five failures are free, then the delay doubles from 1 s to 15 min and stays there', () => {
  const delays = Array.from({ length: 18 }, (_, failures) => delayAfter(failures, 1));
  expect(delays).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  expect(delayAfter(5000, 1)).toBe(900);
});

test('S21 the delay is counted from the last failure', () => {
  expect(nextAttemptAt({ failures: 6, lastAt: new Date(10_000) }, 1)).toBe(12_000);
});

test('RATE_LIMIT_SCALE multiplies the free failures', () => {
  expect(freeFailures(1000)).toBe(5000);
  expect(delayAfter(4999, 1000)).toBe(0);
  expect(freeFailures(0.01)).toBe(1);
});
