import fc from 'fast-check';
import { emailKeyOf, foldText } from './fold.js';

test.each([
  ['ÉMILE', 'émile'],
  ['STRASSE', 'straße'],
  ['ΟΔΟΣ', 'οδος'],
  ['e\u0301', 'É'],
  ['ﬁn', 'FIN'],
  ['ЖУК', 'жук'],
  ['ⅷ', 'VIII'],
])('%s and %s are the same letters', (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

test('a Greek word stays the beginning of a longer one', () => {
  expect(foldText('ΟΔΟΣΑ').startsWith(foldText('ΟΔΟΣ'))).toBe(true);
});

test('folding twice changes nothing', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => foldText(foldText(text)) === foldText(text)));
});

test('emails differ by more than case only', () => {
  expect(emailKeyOf('Ann.Lee@Example.ORG')).toBe('ann.lee@example.org');
});
