import { newRequestId } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { eraseStaleCreation } from './erase-stale-creation.js';

const PAGE = 100;

/** Erases at both services the users whose creation was begun and never finished, once their claim has run out. */
export async function eraseStaleCreations(deps: Dependencies): Promise<void> {
  const stale = await deps.models.users
    .find({ state: 'pending', $expr: { $lte: ['$claim.until', '$$NOW'] } }, { _id: 1 })
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean();
  for (const { _id } of stale) {
    try {
      await eraseStaleCreation(deps, _id, newRequestId());
    } catch (error) {
      deps.logger.warn({ err: error, user_id: _id }, 'a stale creation could not be erased yet');
    }
  }
}
