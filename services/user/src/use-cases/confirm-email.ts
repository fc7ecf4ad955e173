import type { userApi } from '@latchkey/contracts';
import { type CallContext, Problem } from '@latchkey/kit';
import { isDuplicateKey } from '@latchkey/persistence';
import type { Dependencies, UseCase } from '../dependencies.js';
import { hashOfToken } from '../domain/email-change.js';
import type { UserRecord } from '../models/user-record.js';
import { refuseWrongToken } from './refuse-wrong-token.js';
import { settleAuthDebts } from './settle-auth-debts.js';
import { replaceEmail } from './write-update.js';

/** The mailed secret puts the new address into use, once. Unknown, expired, used and another user's are answered alike (S51, S52). */
export function confirmEmail(deps: Dependencies): UseCase<typeof userApi.confirmEmail> {
  return async ({ body }, context) => {
    const user = await spendToken(deps, body.user_id, hashOfToken(body.confirm_token), context);
    if (user === null) return await refuseWrongToken(deps, body.user_id, context);
    // The link is spent, so a refusal could not be repeated away: if auth is away now, the event and the sweep drop the resets.
    await settleAuthDebts(deps, user, context).catch((error) =>
      deps.logger.warn({ err: error, user_id: user._id }, 'resets of the old address are dropped later'),
    );
    return { message: 'Your email address has been changed' };
  };
}

/** One conditional write spends the token and changes the address; null when the token is not good (any more). */
async function spendToken(
  deps: Dependencies,
  userId: number,
  tokenHash: string,
  context: CallContext,
): Promise<UserRecord | null> {
  const now = new Date(deps.clock.now());
  const filter = {
    _id: userId,
    state: 'active',
    'emailChange.tokenHash': tokenHash,
    'emailChange.expiresAt': { $gt: now },
  };
  const decide = (current: UserRecord) => {
    if (current.emailChange === undefined) return null;
    const { $set, events, debts } = replaceEmail(current, current.emailChange.newEmail, current, context);
    const owedToAuth = [...new Set([...current.owedToAuth, ...debts])];
    return { $set: { ...$set, owedToAuth, updatedAt: now }, $unset: { emailChange: 1 as const }, events };
  };
  try {
    return await deps.aggregates.change(deps.models.users, filter, decide, context.requestId);
  } catch (error) {
    throw isDuplicateKey(error) ? new Problem('email-taken', { cause: error }) : error;
  }
}
