import { mannWhitneyP, median } from './statistics.js';

test('the median is the middle, or the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

test('Mann-Whitney tells a shift from none', () => {
  const a = Array.from({ length: 200 }, (_, n) => Math.sin(n) * 10);
  const same = Array.from({ length: 200 }, (_, n) => Math.sin(n + 1000) * 10);
  const shifted = same.map((value) => value + 4);
  expect(mannWhitneyP(a, same)).toBeGreaterThan(0.05);
  expect(mannWhitneyP(a, shifted)).toBeLessThan(0.001);
});
