import { hash as bcrypt } from 'bcrypt';
import { costOf, costsToSpend } from '../domain/password-scheme.js';
import { inProcessHasher } from '../testing/in-process-hasher.js';
import { createPasswords } from './passwords.js';

const clock = { now: () => 0 };
const context = {
  requestId: 'r',
  deadline: 10_000,
  principal: null,
  client: { address: '::1', userAgent: null, languages: null },
};
const withPeppers = (...peppers: string[]) => createPasswords({ hasher: inProcessHasher(4), peppers, cost: 4, clock });
const passwords = withPeppers('a pepper of some length');

async function matches(password: string, presented: string): Promise<boolean> {
  return passwords.matches(presented, await passwords.hash(password, context), context);
}

test('S03 nothing is cut: passwords that differ after 72 bytes differ', async () => {
  expect(await matches(`${'a'.repeat(72)}X`, `${'a'.repeat(72)}X`)).toBe(true);
  expect(await matches(`${'a'.repeat(72)}X`, `${'a'.repeat(72)}Y`)).toBe(false);
});

test('S02 64 two-byte characters keep full strength', async () => {
  expect(await matches('é'.repeat(64), 'é'.repeat(64))).toBe(true);
  expect(await matches('é'.repeat(64), `${'é'.repeat(63)}è`)).toBe(false);
});

test('S04 what follows a NUL counts', async () => {
  expect(await matches('abc\u0000longlonglong1', 'abc')).toBe(false);
  expect(await matches('abc\u0000longlonglong1', 'abc\u0000longlonglong2')).toBe(false);
  expect(await matches('abc\u0000longlonglong1', 'abc\u0000longlonglong1')).toBe(true);
});

test('S05 spaces and case count', async () => {
  expect(await matches(' spaced out ', ' spaced out ')).toBe(true);
  expect(await matches(' spaced out ', 'spaced out')).toBe(false);
  expect(await matches('Cased words', 'cased words')).toBe(false);
});

test('S44 an old pepper still verifies and is outdated; an unknown one never matches', async () => {
  const old = await withPeppers('old pepper').hash('secret words', context);
  const rotated = withPeppers('new pepper', 'old pepper');
  expect(await rotated.matches('secret words', old, context)).toBe(true);
  expect(rotated.isOutdated(old)).toBe(true);
  expect(rotated.isOutdated(await rotated.hash('secret words', context))).toBe(false);
  expect(await withPeppers('new pepper').matches('secret words', old, context)).toBe(false);
});

test.each(['$2a$', '$2b$', '$2y$'])('a plain %s hash verifies and is outdated', async (prefix) => {
  const hash = (await bcrypt('secret words', 4)).replace('$2b$', prefix);
  const stored = { hash, scheme: 'bcrypt', pepperId: null } as const;
  expect(await passwords.matches('secret words', stored, context)).toBe(true);
  expect(await passwords.matches('secret wordz', stored, context)).toBe(false);
  expect(passwords.isOutdated(stored)).toBe(true);
});

test('S15 nobody and everybody costs the same: a verification at the configured cost', async () => {
  const spent: number[] = [];
  const inner = inProcessHasher(6);
  const counting = createPasswords({
    hasher: {
      ...inner,
      verify: (secret, hash, options) => {
        spent.push(costOf(hash));
        return inner.verify(secret, hash, options);
      },
    },
    peppers: ['pepper'],
    cost: 6,
    clock,
  });
  const work = () => spent.splice(0).reduce((sum, cost) => sum + 2 ** cost, 0);

  expect(await counting.matches('secret words', null, context)).toBe(false);
  expect(work()).toBe(2 ** 6);
  await counting.matches('wrong words', await counting.hash('secret words', context), context);
  expect(work()).toBe(2 ** 6);
  const cheap = { hash: await bcrypt('imported', 4), scheme: 'bcrypt', pepperId: null } as const;
  await counting.matches('wrong words', cheap, context);
  expect(work()).toBe(2 ** 6);
  expect(costsToSpend(4, 6)).toEqual([4, 5]);
});
