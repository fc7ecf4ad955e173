import { systemContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { authDebts, type UserRecord } from '../models/user-record.js';
import { settleAuthDebts } from './settle-auth-debts.js';

const PAGE = 100;
/** Younger ones are still the business of the request that made them. */
const OLD_SECONDS = 30;

/** Does at auth what requests could not: a process died, or auth was away and nobody repeated the request. */
export async function settleOldDebts(deps: Dependencies): Promise<void> {
  const before = new Date(deps.clock.now() - OLD_SECONDS * 1000);
  const owing = await deps.models.users
    .find({ owedToAuth: { $in: authDebts }, updatedAt: { $lte: before } })
    .limit(PAGE)
    .lean<UserRecord[]>();
  for (const user of owing) {
    try {
      await settleAuthDebts(deps, user, systemContext({ clock: deps.clock }));
    } catch (error) {
      deps.logger.warn({ err: error, user_id: user._id }, 'auth could not be told of a change yet');
    }
  }
}
