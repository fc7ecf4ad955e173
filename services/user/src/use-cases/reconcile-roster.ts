import type { Dependencies } from '../dependencies.js';
import { readRoster } from '../models/admin-roster.js';
import { enrolAdmin } from './enrol-admin.js';

/** Adds to the roster the active admins that it lacks: a process died between a user's write and the roster's. */
export async function reconcileRoster(deps: Dependencies, requestId: string): Promise<void> {
  const { users, rosters } = deps.models;
  const { ids } = await readRoster(rosters);
  const enrolled = new Set(ids);
  const admins = await users.find({ state: 'active', role: 'admin' }, { _id: 1 }).lean();
  for (const { _id } of admins) if (!enrolled.has(_id)) await enrolAdmin(deps, _id, requestId);
}
