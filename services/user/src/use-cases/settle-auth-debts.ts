import type { CallContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import type { AuthDebt, UserRecord } from '../models/user-record.js';

/**
 * Does at auth what a write about this user still owes there (end its sessions, disable its credentials, drop its resets), so that the
 * answer tells the truth. Throws auth's `service-unavailable`: the write holds, its event does the same later, and a repeated request comes
 * here again and completes.
 */
export async function settleAuthDebts(deps: Dependencies, user: UserRecord, context: CallContext): Promise<void> {
  const owed = user.owedToAuth ?? [];
  if (owed.length === 0) return;
  const input = { params: { user_id: String(user._id) } };
  const pay: Record<AuthDebt, () => Promise<unknown>> = {
    'disable-credentials': () => deps.auth.disableCredentials(input, context),
    'end-sessions': () => deps.auth.endAllSessions(input, context),
    'drop-resets': () => deps.auth.dropResets(input, context),
  };
  for (const debt of new Set(owed)) await pay[debt]();
  await deps.aggregates.change(
    deps.models.users,
    { _id: user._id },
    (current) => (current.owedToAuth.length > 0 ? { $pull: { owedToAuth: { $in: owed } } } : null),
    context.requestId,
  );
}
