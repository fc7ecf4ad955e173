import { type CallContext, clientNetwork, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import type { LinkToken } from '../domain/credentials.js';
import { findLiveToken, hashOfSecret } from '../domain/link-token.js';

/** The live token that was presented. Unknown, expired, used and another user's: one refusal, in one time (S51, S52); each is counted as a miss (S54). */
export async function presentToken(
  deps: Dependencies,
  presented: { reset_token: string; user_id: number },
  context: CallContext,
): Promise<LinkToken> {
  const credentials = await deps.credentials.find(presented.user_id);
  const token = findLiveToken(credentials, hashOfSecret(presented.reset_token), deps.clock.now());
  if (token) return token;
  await countMiss(deps, presented.user_id, context);
  throw new Problem('reset-token-invalid');
}

/** Counts a wrong token, after it was found to be wrong: a right one is never refused for others' misses. Throws `rate-limited`. */
export async function countMiss(deps: Dependencies, userId: number, context: CallContext): Promise<void> {
  await deps.windows.take(deps.limits.wrongTokensOfAddress, clientNetwork(context.client.address));
  await deps.windows.take(deps.limits.wrongTokensOfUser, String(userId));
}
