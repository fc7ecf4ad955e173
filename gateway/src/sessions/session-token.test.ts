import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sessionToken as rules } from '@latchkey/contracts';
import { createLogger, Problem } from '@latchkey/kit';
import { newKey, type SigningKey, signToken } from '../testing/signing.js';
import { createKeyRing } from './key-ring.js';
import { createSessionTokens } from './session-token.js';

const key = newKey('k1');
const sid = 'a'.repeat(32);
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

function setUp(keys: SigningKey[] = [key]) {
  const state = { now: 1_800_000_000_000, keys, asked: 0, down: false };
  const clock = { now: () => state.now };
  const auth = {
    async showKeys() {
      state.asked += 1;
      if (state.down) throw new Problem('service-unavailable');
      return { keys: state.keys.map(({ jwk }) => jwk) };
    },
  };
  const logger = createLogger({ service: 'gateway', level: 'silent' });
  const pause = async (milliseconds: number) => {
    state.now += milliseconds;
  };
  const ring = createKeyRing({ auth, clock, logger, pause });
  return { state, ring, tokens: createSessionTokens({ ring, clock, rules }) };
}

test('a token as auth signs it is read, and then known at once', async () => {
  const { state, tokens } = setUp();
  const token = signToken(key, state.now);
  const claims = { sessionId: sid, userId: 7, expiresAt: state.now / 1000 + 43_200 };
  expect(await tokens.verify(token)).toEqual(claims);
  expect(tokens.verify(token)).toEqual(claims);
  expect(state.asked).toBe(1);
});

const now = 1_800_000_000_000;
const unsigned = (alg: string) =>
  `${encode({ alg, typ: rules.type, kid: 'k1' })}.${encode({ sub: '7', sid, exp: now / 1000 + 60, iss: rules.issuer, aud: rules.audience })}`;
const hmac = (alg: string, hash: string) => {
  const body = unsigned(alg);
  const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
  return `${body}.${createHmac(hash, secret).update(body).digest('base64url')}`;
};
const signed = signToken(key, now);
const flipped = (part: number) => {
  const parts = signed.split('.');
  const bytes = Buffer.from(parts[part] as string, 'base64url');
  bytes[20] = (bytes[20] as number) ^ 1;
  parts[part] = bytes.toString('base64url');
  return parts.join('.');
};

test.each([
  ['S32 alg none', `${unsigned('none')}.`],
  ['S32 alg None', `${unsigned('None')}.`],
  ['S32 alg NONE', `${unsigned('NONE')}.`],
  ['S32 ES256 without a signature', `${unsigned('ES256')}.`],
  ['S32 HS256 with the public key as secret', hmac('HS256', 'sha256')],
  ['S32 HS512 with the public key as secret', hmac('HS512', 'sha512')],
  ['S32 a header that says RS256', `${unsigned('RS256')}.${signed.split('.')[2]}`],
  ['S33 a flipped bit in the payload', flipped(1)],
  ['S33 a flipped bit in the signature', flipped(2)],
  ['S33 a key that is not ours under a known kid', signToken(newKey('k1'), now)],
  ['S34 a kid that is a path', signToken(key, now, {}, { kid: '../../etc/passwd' })],
  ['S34 a kid that is no string', signToken(key, now, {}, { kid: { $ne: null } })],
  ['S34 a kid of a prototype', signToken(key, now, {}, { kid: '__proto__' })],
  ['S35 expired by 61 s', signToken(key, now, { exp: now / 1000 - 61 })],
  ['S35 no exp', signToken(key, now, { exp: undefined })],
  ['S35 not valid before 61 s from now', signToken(key, now, { nbf: now / 1000 + 61 })],
  ['S36 another issuer', signToken(key, now, { iss: 'https://evil.test' })],
  ['S36 another audience', signToken(key, now, { aud: 'services' })],
  ['S36 no audience', signToken(key, now, { aud: undefined })],
  ['S36 another type', signToken(key, now, {}, { typ: 'JWT' })],
  ['S36 a service token', signToken(key, now, {}, { typ: 'latchkey-service+jwt' })],
  ['S36 no type', signToken(key, now, {}, { typ: undefined })],
  ['a crit header', signToken(key, now, {}, { crit: ['b64'] })],
  ['a sub that is no id', signToken(key, now, { sub: '7abc' })],
  ['a sid that is none', signToken(key, now, { sid: '../x' })],
  ['no sid', signToken(key, now, { sid: undefined })],
  ['junk', 'junk'],
  ['dots', '..'],
  ['a header that is no JSON', `${Buffer.from('{').toString('base64url')}.e30.AAAA`],
  ['a header that is null', `${encode(null)}.e30.AAAA`],
])('%s is refused', async (_name, token) => {
  const { tokens } = setUp();
  expect(await tokens.verify(token)).toBeNull();
});

test('S34 jku, x5u and jwk in a header are not followed', async () => {
  let connections = 0;
  const listener = createServer((_request, response) => response.end()).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/keys`;
  const stranger = newKey('stranger');
  const { state, tokens } = setUp();
  const token = signToken(stranger, state.now, {}, { jku: url, x5u: url, jwk: stranger.jwk });
  expect(await tokens.verify(token)).toBeNull();
  expect(connections).toBe(0);
  await new Promise((resolve) => listener.close(resolve));
});

test('S35 a remembered token dies at its exp, by our clock; a logout still reads it', async () => {
  const { state, tokens } = setUp();
  const token = signToken(key, state.now, { exp: state.now / 1000 + 10 });
  expect(await tokens.verify(token)).not.toBeNull();
  state.now += 71_000;
  expect(await tokens.verify(token)).toBeNull();
  expect(await setUp().tokens.verify(token)).not.toBeNull();
  expect(await tokens.verifyIgnoringExpiry(token)).toMatchObject({ userId: 7 });
  expect(await tokens.verifyIgnoringExpiry(flipped(1))).toBeNull();
});

test('F36 keys rotate: a session that another gateway began under a new key is not refused here', async () => {
  const { state, tokens } = setUp();
  await tokens.verify(signToken(key, state.now));
  const next = newKey('k2');
  state.keys = [next, key];
  expect(await tokens.verify(signToken(next, state.now))).not.toBeNull();
  expect(state.asked).toBe(2);
});

test('F36 a question that was under way before the key was there does not decide about it', async () => {
  const { state, ring, tokens } = setUp();
  await ring.refresh();
  state.now += 1_000;
  const forged = tokens.verify(signToken(newKey('forged'), state.now));
  const next = newKey('k2');
  state.keys = [next, key];
  const early = tokens.verify(signToken(next, state.now));
  expect([await forged, (await early) !== null]).toEqual([null, true]);
});

test('S34 unknown kids make us ask auth once a second, however many come', async () => {
  const { state, tokens } = setUp();
  await tokens.verify(signToken(key, state.now));
  const forged = Array.from({ length: 20 }, (_, at) => tokens.verify(signToken(newKey(`forged-${at}`), now)));
  expect(new Set(await Promise.all(forged))).toEqual(new Set([null]));
  expect([state.asked, state.now]).toEqual([2, now + 1_000]);
});

test('S44 a key that auth withdrew is not believed any more, remembered tokens included', async () => {
  const { state, ring, tokens } = setUp();
  const token = signToken(key, state.now);
  expect(await tokens.verify(token)).not.toBeNull();
  state.keys = [newKey('k2')];
  await ring.refresh();
  expect(await tokens.verify(token)).toBeNull();
});

test('S39 without keys nothing passes and nobody is logged out: auth is asked again until it answers', async () => {
  const { state, tokens } = setUp();
  state.down = true;
  const token = signToken(key, state.now);
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'service-unavailable' });
  state.down = false;
  expect(await tokens.verify(token)).not.toBeNull();
  state.down = true;
  state.now += 5_000;
  const rotated = signToken(newKey('k2'), state.now);
  await expect(tokens.verify(rotated)).rejects.toMatchObject({ code: 'service-unavailable' });
  await expect(tokens.verify(rotated)).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(await tokens.verify(token)).not.toBeNull();
});
