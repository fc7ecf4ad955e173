import type { authApi, User } from '@latchkey/contracts';
import { type CallContext, type Handler, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { endingSessions, withNewPassword } from '../domain/credential-changes.js';
import type { Credentials, StoredPassword } from '../domain/credentials.js';
import { findLiveToken } from '../domain/link-token.js';
import { ownWordsOf, recipientOf } from '../domain/recipient.js';
import { audit } from './audit.js';
import { noteChangedPassword } from './note-changed-password.js';
import { countMiss, presentToken } from './present-token.js';
import { removeEndedSessions } from './remove-ended-sessions.js';
import { requireGoodPassword } from './require-good-password.js';

/** Sets a new password with a mailed token: a refused password keeps the token (S53), a spent one is spent once (S49), every session and link ends (S59). */
export function changePassword(deps: Dependencies): Handler<typeof authApi.changePassword> {
  return async ({ body }, context) => {
    const { user_id: userId } = body;
    await deps.crashPoint('change.before-token');
    const token = await presentToken(deps, body, context);
    const user = await requireUser(deps, userId, context);
    requireGoodPassword(deps, body.password, ownWordsOf(user));
    await deps.crashPoint('change.before-hash');
    const password = await deps.passwords.hash(body.password, context);
    await deps.crashPoint('change.before-write');
    const changed = await spendToken(deps, { user, tokenHash: token.hash, password }, context);
    await deps.crashPoint('change.after-write');
    await removeEndedSessions(deps, userId, changed);
    // Failures of strangers were about the old password.
    await deps.attempts.trust(deps.accountKey(user.email), context).catch((error: unknown) => {
      deps.logger.warn({ err: error, user_id: userId }, 'failed logins could not be forgotten');
    });
    audit(deps, context, { action: 'change-password', result: 'success', userId });
    return { message: 'Your password has been updated.' };
  };
}

async function requireUser(deps: Dependencies, userId: number, context: CallContext): Promise<User> {
  const { user } = await deps.users.findUserById({ params: { user_id: String(userId) } }, context);
  if (user && user.deletedAt === null) return user;
  await countMiss(deps, userId, context);
  throw new Problem('reset-token-invalid');
}

/** Token and expiry are checked again in the write that spends it (S49, S50). */
async function spendToken(
  deps: Dependencies,
  { user, tokenHash, password }: { user: User; tokenHash: string; password: StoredPassword },
  context: CallContext,
): Promise<Credentials> {
  const changed = await deps.credentials.change(
    user.id,
    (current) => {
      if (!findLiveToken(current, tokenHash, deps.clock.now())) throw new Problem('reset-token-invalid');
      const noted = noteChangedPassword(deps, current, {
        ...recipientOf(user, context.client.languages),
        changedFrom: context.client.address,
      });
      const set = { ...withNewPassword(password), ...endingSessions(current), ...noted.set };
      return { set, events: [noted.event] };
    },
    context.requestId,
  );
  if (!changed) throw new Problem('reset-token-invalid');
  return changed;
}
