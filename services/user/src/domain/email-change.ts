import { createHash, randomBytes } from 'node:crypto';

/** How long the link mailed to the new address can be used (63B-4 §6 caps a code sent by email at 24 h). */
const CONFIRMATION_SECONDS = 24 * 60 * 60;

/** An email that waits for its owner to confirm it. The token itself is in the mail only (S47). */
export interface EmailChange {
  readonly newEmail: string;
  readonly tokenHash: string;
  readonly requestedAt: Date;
  /** Of the request that asked for it. */
  readonly requestId: string;
  readonly expiresAt: Date;
}

/** A change to `newEmail` and the token (64 hexadecimal digits, S46) that confirms it. */
export function newEmailChange(
  newEmail: string,
  requestId: string,
  now: number,
): { change: EmailChange; token: string } {
  const token = randomBytes(32).toString('hex');
  const requestedAt = new Date(now);
  const expiresAt = new Date(now + CONFIRMATION_SECONDS * 1000);
  return { change: { newEmail, tokenHash: hashOfToken(token), requestedAt, requestId, expiresAt }, token };
}

/** SHA-256 is enough for a token of 256 random bits (S47). Hexadecimal digits mean the same in both cases. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token.toLowerCase()).digest('hex');
}
