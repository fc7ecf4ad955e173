import { createHash, createHmac } from 'node:crypto';
import type { StoredPassword } from './credentials.js';

/** How passwords become what bcrypt hashes. The first pepper is for new hashes, the others are still verified (rotation, S44). */
export interface PasswordScheme {
  /** The secret to hash and what to store beside its hash. */
  prepare(password: string): { secret: string; scheme: StoredPassword['scheme']; pepperId: string };
  /** The secret to verify against a stored hash; null when its pepper is no longer configured. */
  secretFor(password: string, stored: StoredPassword): string | null;
  /** Was it made with another scheme or an old pepper, or cheaper than configured? Then it is replaced at the next login (S10). */
  isOutdated(stored: StoredPassword): boolean;
}

/** `bcrypt(base64(hmac-sha384(password, pepper)))`: 64 bytes whatever the password, so none is cut at 72 or at a NUL (S02–S05, P26). */
export function createPasswordScheme(peppers: readonly string[], cost: number): PasswordScheme {
  const byId = new Map(peppers.map((pepper) => [idOf(pepper), pepper]));
  const [current] = peppers;
  if (current === undefined) throw new Error('At least one pepper is needed');
  const currentId = idOf(current);
  return {
    prepare: (password) => ({
      secret: preHash(password, current),
      scheme: 'bcrypt-hmac-sha384',
      pepperId: currentId,
    }),
    secretFor(password, { scheme, pepperId }) {
      if (scheme === 'bcrypt') return password;
      const pepper = byId.get(pepperId ?? '');
      return pepper === undefined ? null : preHash(password, pepper);
    },
    isOutdated: ({ hash, scheme, pepperId }) =>
      scheme !== 'bcrypt-hmac-sha384' || pepperId !== currentId || costOf(hash) < cost,
  };
}

function preHash(password: string, pepper: string): string {
  return createHmac('sha384', pepper).update(password, 'utf8').digest('base64');
}

/** Names a pepper without telling it: stored with each hash. */
function idOf(pepper: string): string {
  return createHash('sha256').update(`latchkey pepper id\n${pepper}`).digest('base64url').slice(0, 8);
}

/** The cost inside a bcrypt hash. */
export function costOf(hash: string): number {
  return Number(/^\$2[aby]\$(\d\d)\$/.exec(hash)?.[1] ?? 0);
}

/** The same hash under the one name that the library knows: `$2y$` (PHP) and `$2b$` are one algorithm. */
export function asKnownBcrypt(hash: string): string {
  return hash.replace(/^\$2y\$/, '$2b$');
}

/** A well-formed hash of this cost that no password is known to match: verifying against it takes the time of a real one (S15). */
export function dummyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'N'.repeat(21)}u${'q'.repeat(30)}.`;
}

/**
 * The costs to spend after a failed verification at `spent`, so that it took as long as one at `configured`: 2^s + (2^s + 2^(s+1) + … + 2^(c-1)) = 2^c.
 * Otherwise an imported, cheaper hash would tell by the time that the account exists (S15).
 */
export function costsToSpend(spent: number, configured: number): number[] {
  return Array.from({ length: Math.max(0, configured - spent) }, (_, n) => spent + n);
}
