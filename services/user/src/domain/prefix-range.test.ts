import fc from 'fast-check';
import { prefixRange } from './prefix-range.js';

/** As databases compare text: by its UTF-8 bytes, which is by code point. */
const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

function contains(prefix: string, text: string): boolean {
  const range = prefixRange(prefix);
  return compare(text, range.$gte) >= 0 && (!('$lt' in range) || compare(text, range.$lt) < 0);
}

test('holds exactly the texts with the prefix', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 4 });
  fc.assert(
    fc.property(text.filter(Boolean), text, (prefix, rest) => {
      expect(contains(prefix, prefix + rest)).toBe(true);
      expect(contains(prefix, rest)).toBe(rest.startsWith(prefix));
    }),
  );
});

test.each(['.', '*', '(', '\\', '[a-z]', '$', '^'])('%s stands for itself', (prefix) => {
  expect(contains(prefix, `${prefix}x`)).toBe(true);
  expect(contains(prefix, 'anything')).toBe(false);
});

test('the last character of its kind and of all', () => {
  expect(prefixRange('a\ud7ff')).toEqual({ $gte: 'a\ud7ff', $lt: 'a\ue000' });
  expect(prefixRange('a\u{10ffff}')).toEqual({ $gte: 'a\u{10ffff}', $lt: 'b' });
  expect(prefixRange('\u{10ffff}')).toEqual({ $gte: '\u{10ffff}' });
  expect(contains('a', 'a\ufe0f')).toBe(true);
  expect(contains('a', 'a\u{1f600}')).toBe(true);
});
