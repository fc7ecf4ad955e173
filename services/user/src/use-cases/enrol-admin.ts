import type { Dependencies } from '../dependencies.js';
import { addToRoster, readRoster } from '../models/admin-roster.js';

const ATTEMPTS = 20;

/**
 * Writes an active admin into the roster; does nothing for anybody else. In this order: read how often somebody left, raise the
 * user's epoch on condition that it still is an active admin, add it on condition that nobody left since. So a step-down that runs at
 * the same time either began before (it sees the epoch and begins again), or refuses the addition, or has already ended the
 * admin's days: the roster never names somebody who is no admin.
 * Never throws; whoever is missing is added by the sweep.
 */
export async function enrolAdmin(deps: Dependencies, userId: number, requestId: string): Promise<void> {
  const { users, rosters } = deps.models;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { removals } = await readRoster(rosters);
      const admin = await deps.aggregates.change(
        users,
        { _id: userId, state: 'active', role: 'admin' },
        () => ({ $inc: { rosterEpoch: 1 } }),
        requestId,
      );
      if (admin === null || (await addToRoster(rosters, userId, removals))) return;
    }
    deps.logger.warn({ user_id: userId }, 'an admin is not in the roster yet; the sweep will add it');
  } catch (error) {
    deps.logger.warn({ err: error, user_id: userId }, 'an admin is not in the roster yet; the sweep will add it');
  }
}
