import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { sessionToken as rules } from '@latchkey/contracts';
import { sign } from 'jsonwebtoken';
import type { JsonWebKeySet } from '../sessions/key-ring.js';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JsonWebKeySet['keys'][number];
}

export function newKey(kid: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  if (x === undefined || y === undefined) throw new Error('no point');
  return { kid, privateKey, publicKey, jwk: { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid, x, y } };
}

/** A token as auth signs it. `now`: ms. Claims set to undefined are left out. */
export function signToken(
  key: SigningKey,
  now: number,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): string {
  const seconds = Math.floor(now / 1000);
  const payload = {
    sub: '7',
    sid: 'a'.repeat(32),
    iat: seconds,
    exp: seconds + 43_200,
    iss: rules.issuer,
    aud: rules.audience,
    ...claims,
  };
  const present = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  return sign(present, key.privateKey, {
    algorithm: 'ES256',
    header: { alg: 'ES256', typ: rules.type, kid: key.kid, ...header },
    noTimestamp: true,
  });
}
