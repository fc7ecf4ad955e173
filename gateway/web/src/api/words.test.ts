import { errorCodes } from '@latchkey/contracts';
import { Refusal, type RefusalCode } from './refusal.js';
import { refusalInWords } from './words.js';

const codes = [...Object.keys(errorCodes), 'offline', 'unreadable'] as RefusalCode[];

test.each(codes)('%s is said in whole sentences', (code) => {
  for (const words of refusalInWords(new Refusal(code))) expect(words).toMatch(/^[A-Z].+[.!?]$/);
});

test('the API’s own words are preferred to ours, its title is not', () => {
  const title = errorCodes.forbidden.title;
  expect(refusalInWords(new Refusal('forbidden', { title, detail: 'Only on Sundays' }))).toEqual(['Only on Sundays.']);
  expect(refusalInWords(new Refusal('forbidden', { title, detail: title }))).toEqual(['Your account may not do this.']);
});

test('faults of fields name the field, unless they have a subject of their own', () => {
  const errors = [
    { path: 'body.first_name', message: 'must be well-formed Unicode' },
    { path: 'body.password', message: 'This password is too common' },
  ];
  const refusal = new Refusal('validation-failed', { errors });
  expect(refusalInWords(refusal)).toEqual(['First name must be well-formed Unicode.', 'This password is too common.']);
  expect(refusal.fields).toEqual(['first_name', 'password']);
});

test.each([
  [undefined, 'in a moment'],
  [0, 'in 1 second'],
  [1, 'in 1 second'],
  [59, 'in 59 seconds'],
  [61, 'in 2 minutes'],
  [3600, 'in 60 minutes'],
  [7201, 'in 3 hours'],
])('S19 a wait of %s seconds is said as "%s"', (retry_after, words) => {
  const [text] = refusalInWords(new Refusal('rate-limited', { ...(retry_after !== undefined && { retry_after }) }));
  expect(text).toBe(`Too many attempts. Please try again ${words}.`);
});
