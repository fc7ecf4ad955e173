import type { Clock } from '@latchkey/kit';
import { boundedMemory } from '../bounded-memory.js';

/** Requests a minute for each address (api.md "Limits"), before RATE_LIMIT_SCALE. */
export const requestsPerMinute = 600;
const windowMs = 60_000;
/** Addresses remembered at once; the one not heard of for longest is forgotten first. */
const maxAddresses = 50_000;

/** Counts one request of a network; undefined when it may pass, else the seconds after which it may come again. */
export type RequestLimit = (network: string) => number | undefined;

/** A window that opens with an address's first request; what this one gateway saw, in bounded memory. */
export function createRequestLimit(options: { limit: number; clock: Clock }): RequestLimit {
  const windows = boundedMemory<string, { openedAt: number; count: number }>(maxAddresses);
  return (network) => {
    const now = options.clock.now();
    let window = windows().get(network);
    // A clock that was set back must not keep somebody out for longer than a window.
    if (window === undefined || now >= window.openedAt + windowMs || now < window.openedAt) {
      window = { openedAt: now, count: 0 };
      windows().set(network, window);
    }
    window.count += 1;
    if (window.count <= options.limit) return undefined;
    return Math.max(1, Math.ceil((window.openedAt + windowMs - now) / 1000));
  };
}
