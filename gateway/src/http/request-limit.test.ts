import { createRequestLimit } from './request-limit.js';

test('the request after the limit waits for the window to end; others are not touched', () => {
  let now = 1_000_000;
  const limit = createRequestLimit({ limit: 3, clock: { now: () => now } });
  expect([limit('a'), limit('a'), limit('a')]).toEqual([undefined, undefined, undefined]);
  now += 20_000;
  expect(limit('a')).toBe(40);
  expect(limit('b')).toBeUndefined();
  now += 39_500;
  expect(limit('a')).toBe(1);
  now += 500;
  expect(limit('a')).toBeUndefined();
});

test('F23 a clock set back does not keep anybody out', () => {
  let now = 1_000_000;
  const limit = createRequestLimit({ limit: 1, clock: { now: () => now } });
  limit('a');
  expect(limit('a')).toBe(60);
  now -= 600_000;
  expect(limit('a')).toBeUndefined();
});
