import { createSecretKey, generateKeyPairSync, hkdfSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { CallContext } from './call-context.js';
import { Problem } from './problem.js';
import { createServiceTokenSigner, createServiceTokenVerifier } from './service-token.js';

const secret = 'the secret that services share, long enough';
let now = 1_800_000_000_000;
const clock = { now: () => now };
const context: CallContext = {
  requestId: 'request-0001',
  deadline: 0,
  principal: { userId: 7, role: 'admin', sessionId: 'ab' },
  client: { address: '::1', userAgent: 'Ünïcode', languages: null },
};
const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'latchkey service token', 32)));
const sign = createServiceTokenSigner({ caller: 'gateway', audience: 'auth', secret, clock });
const verify = createServiceTokenVerifier({ audience: 'auth', secrets: [secret], clock });
const verdict = (token: string | undefined) => {
  try {
    return verify(token === undefined ? undefined : `Bearer ${token}`).caller;
  } catch (error) {
    return (error as Problem).code;
  }
};
const claims = () => jwt.decode(sign(context)) as Record<string, unknown>;
const forge = (overrides: object, options: jwt.SignOptions = {}, by: jwt.Secret = key) =>
  jwt.sign(JSON.parse(JSON.stringify({ ...claims(), ...overrides })), by, {
    algorithm: 'HS256',
    header: { alg: 'HS256', typ: 'latchkey-service+jwt' },
    ...options,
  });

beforeEach(() => {
  now = 1_800_000_000_000;
});

test('S74 caller, principal and client come out as they went in', () => {
  expect(verify(`Bearer ${sign(context)}`)).toEqual({
    caller: 'gateway',
    principal: context.principal,
    client: context.client,
  });
});

test('S35 a token ends after a minute and five seconds of leeway', () => {
  const token = sign(context);
  now += 64_000;
  expect(verdict(token)).toBe('gateway');
  now += 2000;
  expect(verdict(token)).toBe('service-token-rejected');
});

test('S44 rotation: several secrets are accepted, a dropped one is not', () => {
  const old = createServiceTokenSigner({ caller: 'user', audience: 'auth', secret: 'the older secret', clock })(
    context,
  );
  const secrets = [secret, 'the older secret'];
  expect(createServiceTokenVerifier({ audience: 'auth', secrets, clock })(`Bearer ${old}`).caller).toBe('user');
  expect(verdict(old)).toBe('service-token-rejected');
  expect(() => createServiceTokenVerifier({ audience: 'auth', secrets: [], clock })).toThrow();
});

test.each([
  ['none at all', () => undefined],
  ['an empty one', () => ''],
  ['one for another service', () => forge({ aud: 'user' })],
  ['one without an end', () => forge({ exp: undefined })],
  ['one with a role that does not exist', () => forge({ principal: { userId: 7, role: 'root', sessionId: null } })],
  ['S36 a session token', () => forge({}, { header: { alg: 'HS256', typ: 'latchkey-session+jwt' } })],
  ['S36 an untyped token', () => forge({}, { header: { alg: 'HS256', typ: 'JWT' } })],
  ['S32 another HMAC', () => forge({}, { algorithm: 'HS512', header: { alg: 'HS512', typ: 'latchkey-service+jwt' } })],
  [
    'S32 no signature',
    () => forge({}, { algorithm: 'none', header: { alg: 'none', typ: 'latchkey-service+jwt' } }, ''),
  ],
  [
    'S32 an elliptic signature',
    () =>
      forge(
        {},
        { algorithm: 'ES256', header: { alg: 'ES256', typ: 'latchkey-service+jwt' } },
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      ),
  ],
  ['the raw secret as the key', () => forge({}, {}, secret)],
  [
    'S33 an altered payload',
    () => {
      const [header, , signature] = sign(context).split('.');
      const payload = { ...claims(), principal: { userId: 1, role: 'admin', sessionId: null } };
      return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.');
    },
  ],
])('S74 %s is refused', (_name, token) => {
  expect(verdict(token())).toBe('service-token-rejected');
});

test('a scheme other than Bearer is refused', () => {
  expect(() => verify(`Basic ${sign(context)}`)).toThrow(Problem);
});
