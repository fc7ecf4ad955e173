import { randomFillSync } from 'node:crypto';

const acceptable = /^[\w-]{8,64}$/;

const BYTES = 16;
/** Random bytes are fetched for many ids at once: a fetch costs more than the rest of making an id. */
const pool = Buffer.alloc(BYTES * 256);
let used = pool.length;

/** 128 random bits, hexadecimal. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return pool.toString('hex', used - BYTES, used);
}

/** The id that a caller proposes, when it is one that logs and headers can carry; else a new one. */
export function acceptRequestId(proposed: unknown): string {
  return typeof proposed === 'string' && acceptable.test(proposed) ? proposed : newRequestId();
}
