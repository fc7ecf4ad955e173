import { chooseLanguage } from './choose-language.js';

const offered = ['en', 'de'] as const;

test.each([
  [null, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, de;q=0.9', 'de'],
  ['de;q=0.5, en;q=0.9', 'en'],
  ['fr, de;q=0.1', 'de'],
  ['fr, it', 'en'],
  ['de;q=0', 'en'],
  ['*', 'en'],
  ['de;q=nonsense', 'en'],
  ['DE', 'de'],
  ['d', 'en'],
  ['den', 'en'],
  ['\u0000;;;,,=', 'en'],
])('Accept-Language %j gets %s', (header, expected) => {
  expect(chooseLanguage(header, offered)).toBe(expected);
});
