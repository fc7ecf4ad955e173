import { Problem, systemContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import type { UserRecord } from '../models/user-record.js';

/**
 * Removes a pending user whose password auth did not take. When auth refused, it stored nothing; when the outcome is unknown, its
 * credentials are disabled first. If that cannot be done now, the claim is given up, so that the next request or the sweep does it.
 * Never throws: what the client is told is why the creation failed.
 */
export async function abandonCreation(deps: Dependencies, pending: UserRecord, reason: unknown, requestId: string) {
  const { users } = deps.models;
  const mine = { _id: pending._id, state: 'pending' as const, 'claim.id': pending.claim?.id };
  try {
    if (!refused(reason)) await disable(deps, pending._id, requestId);
    await users.deleteOne(mine);
  } catch (error) {
    deps.logger.warn({ err: error, user_id: pending._id }, 'a creation could not be taken back; the sweep will');
    const giveUp = () => ({ $set: { 'claim.until': new Date(0) } });
    await deps.aggregates.change(users, mine, giveUp, requestId).catch(() => undefined);
  }
}

function refused(reason: unknown): boolean {
  return reason instanceof Problem && (reason.status < 500 || reason.code === 'overloaded');
}

/** The request's own deadline may have passed: this call gets one of its own. */
async function disable(deps: Dependencies, userId: number, requestId: string): Promise<void> {
  const context = systemContext({ clock: deps.clock, requestId });
  await deps.auth.disableCredentials({ params: { user_id: String(userId) } }, context);
}
