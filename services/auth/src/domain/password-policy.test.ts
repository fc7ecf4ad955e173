import { refusalOf } from './password-policy.js';

const policy = { minLength: 8, productName: 'Latchkey' };
const refusal = (password: string, context: string[] = [], minLength = 8) =>
  refusalOf(password, context, { ...policy, minLength });

test('S01 the minimum is counted in code points', () => {
  expect(refusal('qz7 mfk')).toBe('must have at least 8 characters');
  expect(refusal('qz7 mfkw')).toBeUndefined();
  expect(refusal('😀🦊🐢🌵🍄🚲🎈🧭')).toBeUndefined();
  expect(refusal('😀🦊🐢🌵🍄🚲🎈')).toMatch(/at least 8/);
  expect(refusal('qz7 mfkw rty1x', [], 15)).toMatch(/at least 15/);
});

test('S02 long passwords are accepted, up to 256', () => {
  expect(refusal('é'.repeat(64))).toBeUndefined();
  expect(refusal('xy'.repeat(128))).toBeUndefined();
  expect(refusal(`${'xy'.repeat(128)}z`)).toMatch(/at most 256/);
});

test('S05 no rule on composition', () => {
  expect(refusal('only lower case words')).toBeUndefined();
  expect(refusal('        ')).toBeUndefined();
});

test.each([
  'password12345678',
  'PASSWORD',
  'Qwertyuiop',
  '12345678',
  'iloveyou1',
  'trustno1',
  'Dragon11111111',
  'sunshine87654321',
  'password7890123',
])('S06 %s is refused as common', (password) => {
  expect(refusal(password)).toBe('is one of the most common passwords');
});

test.each(['correct horse battery', 'sunshine on a 1234 tuesday', 'dragon-tales-2024', 'zorptle12345678'])(
  'S06 %s is no common password',
  (password) => {
    expect(refusal(password)).toBeUndefined();
  },
);

test("S07 the user's own words of four or more code points and the product's name are refused, whatever the case", () => {
  const context = ['jane.doe@example.com', 'Mary Anne', 'Li'];
  expect(refusal('jane.doe@example.com1234567', context)).toBe('must not contain your name or email');
  expect(refusal('xxJANE.DOExx', context)).toBe('must not contain your name or email');
  expect(refusal('for anne only', context)).toBe('must not contain your name or email');
  expect(refusal('my latchKEY 77', context)).toBe('must not contain the name of this service');
  expect(refusal('believing li', context)).toBeUndefined();
  expect(refusal('example.com is mine', context)).toBeUndefined();
});
