import { systemContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { hasExpired, newClaim } from '../domain/claim.js';
import { readDatabaseTime } from '../models/counter.js';

/**
 * Takes over a pending user whose claim has run out and erases it: its credentials first, then the record, so that a crash in between
 * leaves a record from which the next one goes on. Taking the claim over comes before both: whoever held it can no longer activate.
 * Answers false while the claim is still somebody's.
 */
export async function eraseStaleCreation(deps: Dependencies, userId: number, requestId: string): Promise<boolean> {
  const { users, counters } = deps.models;
  const databaseTime = await readDatabaseTime(counters);
  const claim = newClaim(databaseTime);
  const taken = await deps.aggregates.change(
    users,
    { _id: userId, state: 'pending' },
    (current) => (hasExpired(current.claim, databaseTime) ? { $set: { claim } } : null),
    requestId,
  );
  if (taken === null) return true;
  if (taken.claim?.id !== claim.id) return false;
  await deps.auth.disableCredentials(
    { params: { user_id: String(userId) } },
    systemContext({ clock: deps.clock, requestId }),
  );
  await users.deleteOne({ _id: userId, state: 'pending', 'claim.id': claim.id });
  return true;
}
