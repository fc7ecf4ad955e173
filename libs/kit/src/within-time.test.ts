import { withinTime } from './within-time.js';

const late = () => new Error('late');
const never = () => new Promise<never>(() => undefined);

test('what is in time is what the work gives, be it a result or an error', async () => {
  await expect(withinTime(1_000, async () => 7, late)).resolves.toBe(7);
  await expect(withinTime(1_000, () => Promise.reject(new Error('broken')), late)).rejects.toThrow('broken');
  const throwing = () => {
    throw new Error('at once');
  };
  await expect(withinTime(1_000, throwing, late)).rejects.toThrow('at once');
});

test('what is too late is the error of the limit, whatever becomes of the work', async () => {
  await expect(withinTime(1, never, late)).rejects.toThrow('late');
  let fail = (_error: Error) => {};
  const failing = () => new Promise<never>((_resolve, reject) => (fail = reject));
  await expect(withinTime(1, failing, late)).rejects.toThrow('late');
  // Unheard of from here on: it would end the process.
  fail(new Error('later still'));
});

test('a limit beyond the longest timer is no limit of one millisecond', async () => {
  const soon = () => new Promise((resolve) => setTimeout(resolve, 20, 'done'));
  await expect(withinTime(2 ** 40, soon, late)).resolves.toBe('done');
});
