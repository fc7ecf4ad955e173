import { Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { readRoster, removeFromRoster } from '../models/admin-roster.js';
import type { UserRecord } from '../models/user-record.js';
import { enrolAdmin } from './enrol-admin.js';
import { reconcileRoster } from './reconcile-roster.js';

const ATTEMPTS = 10;

/** The user changed between leaving the roster and the write: nothing was written, begin again. */
class Moved extends Error {}

/**
 * Runs a write after which the user is no active admin any more. An admin leaves the roster first, on condition that another one
 * remains (else `last-admin`), and comes back if the write fails, so of any number of admins who remove each other at once one stays.
 * `write` calls `assertUnmoved` with the document that it decides on. Throws `not-found` when there is no such active user.
 */
export async function keepOneAdmin<T>(
  deps: Dependencies,
  userId: number,
  requestId: string,
  write: (assertUnmoved: (current: UserRecord) => void) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const seen = await deps.models.users.findOne({ _id: userId, state: 'active' }).lean();
    if (seen === null) throw new Problem('not-found');
    const stepsDown = seen.role === 'admin';
    if (stepsDown) await leaveRoster(deps, userId, requestId);
    try {
      return await write((current) => {
        if (current.role !== seen.role || current.rosterEpoch !== seen.rosterEpoch) throw new Moved();
      });
    } catch (error) {
      if (stepsDown) await enrolAdmin(deps, userId, requestId);
      if (!(error instanceof Moved)) throw error;
    }
  }
  throw new Problem('service-unavailable', { detail: 'Too many changes of this user at once', retryAfter: 1 });
}

async function leaveRoster(deps: Dependencies, userId: number, requestId: string): Promise<void> {
  const { rosters } = deps.models;
  if (await removeFromRoster(rosters, userId)) return;
  // Nobody was ever enrolled (a crash right after the first admin was made): find the admins, then ask once more.
  const { ids } = await readRoster(rosters);
  if (ids.length === 0) {
    await reconcileRoster(deps, requestId);
    if (await removeFromRoster(rosters, userId)) return;
  }
  throw new Problem('last-admin');
}
