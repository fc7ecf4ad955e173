import { retryUpsert } from './retry-upsert.js';

const refusing = (...errors: unknown[]) =>
  jest.fn(async () => {
    if (errors.length > 0) throw errors.shift();
    return 'there';
  });
const duplicate = Object.assign(new Error('E11000'), { code: 11000 });

test('P16 the loser of two first uses tries again, once', async () => {
  const lost = refusing(duplicate);
  await expect(retryUpsert(lost)).resolves.toBe('there');
  expect(lost).toHaveBeenCalledTimes(2);
  await expect(retryUpsert(refusing(duplicate, duplicate))).rejects.toBe(duplicate);
});

test('nothing else is tried again', async () => {
  const broken = refusing(new Error('broken'));
  await expect(retryUpsert(broken)).rejects.toThrow('broken');
  expect(broken).toHaveBeenCalledTimes(1);
});
