import fc from 'fast-check';
import { backOff, backOffUnavailable } from './back-off.js';

const middle = () => 0.5;

test('F8 the first tries come after 1, 5 and 15 seconds, then hours pass', () => {
  expect([0, 1, 2, 3].map((attempt) => backOff(attempt, middle))).toEqual([1, 5, 15, 60]);
  expect(backOff(100, middle)).toBe(14_400);
});

test('the wait stays within 20 % of its step and never falls from one attempt to the next but by jitter', () => {
  const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.nat(30), unit, (attempt, random) => {
      const base = backOff(attempt, middle);
      const wait = backOff(attempt, () => random);
      expect(wait).toBeGreaterThanOrEqual(base * 0.799);
      expect(wait).toBeLessThan(base * 1.201);
      expect(backOff(attempt + 1, middle)).toBeGreaterThanOrEqual(base);
    }),
  );
});

test('F15 while something is away a message never waits longer than 10 s', () => {
  for (const random of [0, 0.5, 0.999_999]) {
    for (let tries = 0; tries < 1_000; tries += 1) {
      const wait = backOffUnavailable(tries, () => random);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(10);
    }
  }
});
