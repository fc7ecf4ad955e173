import { lastMoment, nextAttempt } from './retry-calendar.js';

const now = new Date('2030-01-01T00:00:00Z');
const far = new Date('2031-01-01T00:00:00Z');
const inSeconds = (date: Date | null) => (date ? (date.getTime() - now.getTime()) / 1000 : null);

test('F19 the waits grow from a second to hours, and stay there', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 30].map((failures) =>
    inSeconds(nextAttempt(failures, now, far, () => 0.5)),
  );
  expect(waits).toEqual([1, 5, 15, 60, 300, 900, 3600, 7200, 14400, 14400, 14400]);
});

test('the jitter moves a wait by at most a tenth', () => {
  expect(inSeconds(nextAttempt(4, now, far, () => 0))).toBe(54);
  expect(inSeconds(nextAttempt(4, now, far, () => 0.999999))).toBeCloseTo(66, 2);
});

test('F19 an attempt that would come too late is not made', () => {
  const last = new Date(now.getTime() + 59_000);
  expect(nextAttempt(3, now, last, () => 0.5)).not.toBeNull();
  expect(nextAttempt(4, now, last, () => 0.5)).toBeNull();
});

test('a mail without an end of its own is tried for three days', () => {
  expect(lastMoment({ notAfter: null, createdAt: now })).toEqual(new Date('2030-01-04T00:00:00Z'));
  expect(lastMoment({ notAfter: far, createdAt: now })).toEqual(far);
});
