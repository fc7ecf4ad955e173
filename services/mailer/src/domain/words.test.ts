import { moneyInWords } from './money-in-words.js';
import { lifetimeInWords, momentInWords } from './time-in-words.js';

test.each([
  [1800, 'en', '30 minutes'],
  [1799.7, 'en', '30 minutes'],
  [7 * 24 * 3600, 'en', '7 days'],
  [3600, 'en', '1 hour'],
  [5400, 'en', '90 minutes'],
  [1800, 'de', '30 Minuten'],
  [1, 'en', '1 second'],
])('a lifetime of %d s is in %s: %s', (seconds, language, words) => {
  expect(lifetimeInWords(seconds, language)).toBe(words);
});

test('a moment is told in UTC', () => {
  expect(momentInWords('2030-02-03T04:05:06.000Z', 'en')).toMatch(/^February 3, 2030.*4:05.AM UTC$/);
  expect(momentInWords('2030-02-03T04:05:06.000Z', 'de')).toMatch(/^3\. Februar 2030.*04:05 UTC$/);
});

test.each([
  [1250, 'eur', 'en', '€12.50'],
  [500, 'jpy', 'en', '¥500'],
  [1234567, 'usd', 'en', '$12,345.67'],
  [5000, 'kwd', 'en', 'KWD 5.000'],
  [7, 'weird', 'en', '7 WEIRD'],
])('%d %s is written %s: %s', (amount, currency, language, words) => {
  expect(moneyInWords(amount, currency, language).replace(/\u00a0/g, ' ')).toBe(words);
});
