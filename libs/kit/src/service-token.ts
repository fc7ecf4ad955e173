import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { fields } from '@latchkey/contracts';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { CallContext, Client, Principal } from './call-context.js';
import type { Clock } from './clock.js';
import { Problem } from './problem.js';

const ALGORITHM = 'HS256';
/** Keeps a session token from passing as one of these, and the other way round (S36; RFC 8725 §3.11). */
const TYPE = 'latchkey-service+jwt';
const LIFETIME_SECONDS = 60;
const LEEWAY_SECONDS = 5;

/** What a service may believe about a call: who makes it, on whose behalf, from where (S74). */
export interface ServiceIdentity {
  readonly caller: string;
  readonly principal: Principal | null;
  readonly client: Client;
}

const claims = z.object({
  iss: z.string().min(1),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
  principal: z.object({ userId: z.int().min(0), role: fields.role, sessionId: z.string().nullable() }).nullable(),
  client: z.object({ address: z.string(), userAgent: z.string().nullable(), languages: z.string().nullable() }),
});

/** Keys of their own, so that the same secret used elsewhere gives nothing away. */
function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'latchkey service token', 32)));
}

/** Signs what `caller` says to `audience`: a token for one minute. */
export function createServiceTokenSigner(options: {
  caller: string;
  audience: string;
  secret: string;
  clock: Clock;
}): (context: CallContext) => string {
  const key = keyOf(options.secret);
  return ({ principal, client }) => {
    const now = Math.floor(options.clock.now() / 1000);
    return jwt.sign(
      { iss: options.caller, aud: options.audience, iat: now, exp: now + LIFETIME_SECONDS, principal, client },
      key,
      { algorithm: ALGORITHM, header: { alg: ALGORITHM, typ: TYPE } },
    );
  };
}

/** Verifies the Authorization header of a call to `audience`; several secrets are accepted (rotation, S44). Throws `service-token-rejected`. */
export function createServiceTokenVerifier(options: {
  audience: string;
  secrets: readonly string[];
  clock: Clock;
}): (authorization: string | undefined) => ServiceIdentity {
  const keys = options.secrets.map(keyOf);
  if (keys.length === 0) throw new Error('A service needs at least one service secret');
  return (authorization) => {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : undefined;
    if (token === undefined) throw new Problem('service-token-rejected');
    const { iss: caller, principal, client } = verify(token, keys, options.audience, options.clock);
    return { caller, principal, client };
  };
}

function verify(token: string, keys: readonly KeyObject[], audience: string, clock: Clock): z.output<typeof claims> {
  let reason: unknown;
  for (const key of keys) {
    try {
      const { header, payload } = jwt.verify(token, key, {
        algorithms: [ALGORITHM],
        audience,
        complete: true,
        clockTolerance: LEEWAY_SECONDS,
        clockTimestamp: Math.floor(clock.now() / 1000),
      });
      if (header.typ !== TYPE) throw new Error('another type of token');
      return claims.parse(payload);
    } catch (error) {
      reason = error;
    }
  }
  throw new Problem('service-token-rejected', { cause: reason });
}
