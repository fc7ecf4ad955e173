import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type authApi, type OutputOf, sessionToken } from '@latchkey/contracts';
import { sign } from 'jsonwebtoken';
import type { Session } from '../domain/session.js';

export type JwkSet = OutputOf<typeof authApi.showKeys>;

/** Makes session tokens and publishes the keys that verify them. */
export interface SessionTokenIssuer {
  issue(session: Session): string;
  readonly keys: JwkSet;
}

/** `pems`: EC P-256 private keys; the first signs, the public halves of all are published, so that tokens outlive a rotation (S44). */
export function createSessionTokenIssuer(pems: readonly string[]): SessionTokenIssuer {
  const pairs = pems.map((pem) => {
    const privateKey = createPrivateKey(pem);
    return { privateKey, jwk: publicJwk(createPublicKey(privateKey)) };
  });
  const [current] = pairs;
  if (!current) throw new Error('At least one signing key is needed');
  const { algorithm, type, issuer, audience } = sessionToken;

  return {
    keys: { keys: pairs.map(({ jwk }) => jwk) },
    issue(session) {
      // Exactly these claims (S43): nothing about the person, nothing that could be stale.
      const claims = {
        sub: String(session.userId),
        sid: session._id,
        iat: Math.floor(session.createdAt.getTime() / 1000),
        exp: Math.floor(session.expiresAt.getTime() / 1000),
        iss: issuer,
        aud: audience,
      };
      return sign(claims, current.privateKey, {
        algorithm,
        keyid: current.jwk.kid,
        header: { alg: algorithm, typ: type },
      });
    },
  };
}

function publicJwk(key: KeyObject): JwkSet['keys'][number] {
  const { x, y } = key.export({ format: 'jwk' });
  if (!x || !y) throw new Error('A signing key is not an EC key');
  return { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: thumbprint(x, y), x, y };
}

/** RFC 7638: the required members in lexical order, without white space. */
function thumbprint(x: string, y: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
}
