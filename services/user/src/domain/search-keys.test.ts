import { isGram, searchKeys } from './search-keys.js';

const gramsOf = (email: string, first_name: string, last_name: string) =>
  searchKeys(email, { first_name, last_name }).searchGrams;

test('the grams are the prefixes of the folded email and names, each once', () => {
  expect(gramsOf('Al@x.io', 'AL', 'Straß')).toEqual([
    ...['a', 'al', 'al@', 'al@x', 'al@x.', 'al@x.i', 'al@x.io'],
    ...['s', 'st', 'str', 'stra', 'stras', 'strass'],
  ]);
});

test('they are cut between code points', () => {
  expect(gramsOf('', '😀é', '𠮷')).toEqual(['😀', '😀é', '𠮷']);
});

test('none is longer than the longest prefix that is looked up among them', () => {
  const grams = gramsOf('', '𠮷'.repeat(40), '');
  expect(grams).toHaveLength(12);
  expect(grams.every(isGram)).toBe(true);
  expect(isGram('𠮷'.repeat(13))).toBe(false);
});

test('nobody is without grams, not even who was erased: that is how those of before are known', () => {
  expect(gramsOf('', '', '')).toEqual(['']);
});
