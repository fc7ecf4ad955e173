import { type CallContext, clientNetwork, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { countMiss } from '../models/confirmation-miss.js';

const WINDOW_SECONDS = 15 * 60;
const MISSES_OF_USER = 50;
const MISSES_OF_ADDRESS = 100;

/**
 * Counts a wrong confirmation token for the user and for the client's address (S54), then refuses: `link-invalid`, or `rate-limited` past a
 * limit. Only misses are counted and only they are refused for it: a right token is never held up by others' wrong ones.
 */
export async function refuseWrongToken(deps: Dependencies, userId: number, context: CallContext): Promise<never> {
  const now = deps.clock.now();
  const windowEnd = new Date((Math.floor(now / (WINDOW_SECONDS * 1000)) + 1) * WINDOW_SECONDS * 1000);
  const limits = [
    { name: 'wrong-tokens-per-user', key: `user|${userId}`, most: MISSES_OF_USER },
    {
      name: 'wrong-tokens-per-address',
      key: `address|${clientNetwork(context.client.address)}`,
      most: MISSES_OF_ADDRESS,
    },
  ];
  const counts = await Promise.all(limits.map(({ key }) => countMiss(deps.models.misses, key, windowEnd)));
  const reached = limits.find(
    ({ most }, at) => (counts[at] ?? 0) > Math.max(1, Math.round(most * deps.rateLimitScale)),
  );
  if (reached === undefined) throw new Problem('link-invalid');
  const retryAfter = Math.max(1, Math.ceil((windowEnd.getTime() - now) / 1000));
  throw new Problem('rate-limited', { limit: reached.name, retryAfter });
}
