import fc from 'fast-check';
import { deletedSessionCookie, presentedTokens, sessionCookie } from './cookie.js';

const plain = { name: 'access_token', secure: false };
const secure = { name: 'access_token', secure: true };

test('S27 the cookie is a browser session cookie with exactly these attributes', () => {
  expect(sessionCookie(plain, 'a.b.c')).toBe('access_token=a.b.c; Path=/; HttpOnly; SameSite=Lax');
  expect(sessionCookie(secure, 'a.b.c')).toBe('access_token=a.b.c; Path=/; HttpOnly; SameSite=Lax; Secure');
});

test('S40 deletion repeats name, path and attributes', () => {
  expect(deletedSessionCookie(secure)).toBe(
    'access_token=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
});

test.each([
  ['no header', undefined, []],
  ['an empty header', '', []],
  ['one', 'access_token=a', ['a']],
  ['among others', 'x=1; access_token=a;y=2', ['a']],
  ['a quoted value', 'access_token="a"', ['a']],
  ['a lone quote', 'access_token="', ['"']],
  ['an empty value', 'access_token=; access_token=""', []],
  ['a value with =', 'access_token=a=b', ['a=b']],
  ['no =', 'access_token', []],
  ['a name that ends alike', 'my_access_token=a; access_token2=b', []],
  ['another case', 'Access_Token=a', []],
  ['several, in order, once each', 'access_token=b; access_token=a; access_token=b', ['b', 'a']],
  [
    'more than could be meant',
    'access_token=1; access_token=2; access_token=3; access_token=4; access_token=5',
    ['1', '2', '3', '4'],
  ],
  ['one longer than browsers keep', `access_token=${'x'.repeat(4096)}; access_token=a`, ['a']],
])('reads %s', (_name, header, tokens) => {
  expect(presentedTokens(plain, header)).toEqual(tokens);
});

test('no header makes reading throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      presentedTokens(plain, `${a}access_token=${b}`);
    }),
  );
});
