import { createHash, randomBytes } from 'node:crypto';
import type { Credentials, LinkToken } from './credentials.js';

/** 32 random bytes, hexadecimal (S46). */
export function newLinkSecret(): string {
  return randomBytes(32).toString('hex');
}

/** What is stored of a link's secret: its SHA-256. Enough for 256 random bits (S47), and a look-up by it gives no time away. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret.toLowerCase()).digest('hex');
}

export function isLive(token: LinkToken, now: number): boolean {
  return now < token.expiresAt.getTime();
}

/** The live token of this user with this hash; unknown, expired, used and another user's are all undefined (S51, S52). */
export function findLiveToken(credentials: Credentials | null, hash: string, now: number): LinkToken | undefined {
  if (!credentials || credentials.state === 'disabled') return undefined;
  return credentials.tokens.find((token) => token.hash === hash && isLive(token, now));
}

/** At most three live links of its kind: the newest stay. Dead ones of any kind are dropped. */
export function withToken(tokens: readonly LinkToken[], added: LinkToken, now: number): LinkToken[] {
  const live = tokens.filter((token) => isLive(token, now));
  const sameKind = live.filter((token) => token.kind === added.kind);
  const surplus = new Set(sameKind.slice(0, Math.max(0, sameKind.length - 2)));
  return [...live.filter((token) => !surplus.has(token)), added];
}
