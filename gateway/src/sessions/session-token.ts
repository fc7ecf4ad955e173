import type { KeyObject } from 'node:crypto';
import type { Clock } from '@latchkey/kit';
import { decode, type JwtHeader, type JwtPayload, verify } from 'jsonwebtoken';
import { boundedMemory } from '../bounded-memory.js';
import type { KeyRing } from './key-ring.js';

/** What a session token says, once its signature was verified. `expiresAt`: seconds since the epoch. */
export interface SessionClaims {
  readonly sessionId: string;
  readonly userId: number;
  readonly expiresAt: number;
}

/** Who signs session tokens, for whom, and their explicit type (S36): another token signed with the same key is none of ours. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  readonly type: string;
}

export interface SessionTokens {
  /** The claims of a token that is valid now, else null. Answers at once when it knows the token or at least its key; throws `service-unavailable`. */
  verify(token: string): SessionClaims | null | Promise<SessionClaims | null>;
  /** Well signed, even if it has run out: a logout ends that session all the same. */
  verifyIgnoringExpiry(token: string): Promise<SessionClaims | null>;
}

/** Clocks of auth and gateway may differ by this much, seconds (S35: at most 60). */
const leeway = 30;
const remembered = 10_000;

export function createSessionTokens(deps: { ring: KeyRing; clock: Clock; rules: TokenRules }): SessionTokens {
  const { ring, clock, rules } = deps;
  const verified = boundedMemory<string, { claims: SessionClaims; generation: number }>(remembered);
  const seconds = () => Math.floor(clock.now() / 1000);

  function read(token: string, key: KeyObject | undefined, ignoreExpiration = false): SessionClaims | null {
    if (key === undefined) return null;
    try {
      const payload = verify(token, key, {
        algorithms: ['ES256'],
        issuer: rules.issuer,
        audience: rules.audience,
        clockTimestamp: seconds(),
        clockTolerance: leeway,
        ignoreExpiration,
      });
      return claimsOf(payload);
    } catch {
      return null;
    }
  }

  function remember(token: string, claims: SessionClaims | null): SessionClaims | null {
    if (claims !== null) verified().set(token, { claims, generation: ring.generation });
    return claims;
  }

  return {
    verify(token) {
      const known = verified().get(token);
      if (known !== undefined && known.generation === ring.generation) {
        return seconds() < known.claims.expiresAt + leeway ? known.claims : null;
      }
      const kid = kidOf(token, rules.type);
      if (kid === null) return null;
      const key = ring.find(kid);
      if (key !== undefined) return remember(token, read(token, key));
      return ring.lookUp(kid).then((found) => remember(token, read(token, found)));
    },
    async verifyIgnoringExpiry(token) {
      const kid = kidOf(token, rules.type);
      if (kid === null) return null;
      return read(token, ring.find(kid) ?? (await ring.lookUp(kid)), true);
    },
  };
}

/** The kid of a token whose header is one that auth writes; the signature is not looked at yet. `crit` would ask for rules we do not know (RFC 7515 §4.1.11). */
function kidOf(token: string, type: string): string | null {
  let header: (JwtHeader & { crit?: unknown }) | undefined;
  try {
    header = decode(token, { complete: true })?.header;
  } catch {
    return null;
  }
  if (header?.alg !== 'ES256' || header.typ !== type || header.crit !== undefined) return null;
  return typeof header.kid === 'string' && header.kid !== '' ? header.kid : null;
}

function claimsOf(payload: string | JwtPayload): SessionClaims | null {
  if (typeof payload === 'string') return null;
  const { sub, sid, exp } = payload;
  if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub) || !Number.isSafeInteger(Number(sub))) return null;
  if (typeof sid !== 'string' || !/^[0-9a-f]{32}$/.test(sid) || typeof exp !== 'number') return null;
  return { sessionId: sid, userId: Number(sub), expiresAt: exp };
}
