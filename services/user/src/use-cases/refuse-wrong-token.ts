import { type CallContext, clientNetwork, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { wrongTokenLimits } from '../domain/wrong-token-limits.js';

/**
 * Counts a wrong confirmation token for the user and for the client's address (S54), then refuses: `link-invalid`, or `rate-limited` past a
 * limit. Only misses are counted and only they are refused for it: a right token is never held up by others' wrong ones.
 */
export async function refuseWrongToken(deps: Dependencies, userId: number, context: CallContext): Promise<never> {
  const limits = wrongTokenLimits(deps.rateLimitScale);
  await deps.windows.take(limits.ofAddress, clientNetwork(context.client.address));
  await deps.windows.take(limits.ofUser, String(userId));
  throw new Problem('link-invalid');
}
