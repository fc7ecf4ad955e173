import { randomBytes } from 'node:crypto';

const acceptable = /^[\w-]{8,64}$/;

/** 128 random bits, hexadecimal. */
export function newRequestId(): string {
  return randomBytes(16).toString('hex');
}

/** The id that a caller proposes, when it is one that logs and headers can carry; else a new one. */
export function acceptRequestId(proposed: unknown): string {
  return typeof proposed === 'string' && acceptable.test(proposed) ? proposed : newRequestId();
}
