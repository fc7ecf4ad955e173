import { type CallContext, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { requireEmailChangeAllowed } from '../domain/email-change-limit.js';
import { emailKeyOf } from '../domain/fold.js';
import { type WantedChanges, wordsOf } from '../domain/wanted-changes.js';
import type { UserRecord } from '../models/user-record.js';

/**
 * Throws what a change of email or password is refused for, before anything is changed. The current password comes before the email's
 * availability, so that a stolen session cannot ask which emails there are (S70).
 */
export async function refuseUpdate(
  deps: Dependencies,
  user: UserRecord,
  body: WantedChanges,
  provesItself: boolean,
  context: CallContext,
): Promise<void> {
  const { email, password, current_password } = body;
  if (email === undefined && password === undefined) return;
  if (provesItself && current_password === undefined) throw passwordNeeded();
  if (email !== undefined) {
    if (current_password !== undefined && provesItself) {
      const input = { params: { user_id: String(user._id) }, body: { password: current_password, email: user.email } };
      await deps.auth.verifyPassword(input, context);
    }
    if (provesItself && email !== user.email) {
      requireEmailChangeAllowed(user.emailChangesAskedAt, deps.rateLimitScale, deps.clock.now());
    }
    await requireFreeEmail(deps, email, user._id);
  }
  if (password !== undefined) {
    await deps.auth.checkPassword({ body: { password, context: wordsOf(user, body) } }, context);
  }
}

function passwordNeeded(): Problem {
  const message = 'is needed to change the email or the password';
  return new Problem('validation-failed', { errors: [{ path: 'body.current_password', message }] });
}

/** The user's own email in another spelling is free to it. */
async function requireFreeEmail(deps: Dependencies, email: string, userId: number): Promise<void> {
  const holder = await deps.models.users.findOne({ emailKey: emailKeyOf(email), state: 'active' }, { _id: 1 }).lean();
  if (holder !== null && holder._id !== userId) throw new Problem('email-taken');
}
