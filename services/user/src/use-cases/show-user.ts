import type { userApi } from '@latchkey/contracts';
import { Problem } from '@latchkey/kit';
import type { Dependencies, UseCase } from '../dependencies.js';
import { actorOf, requireManagerOrSelf } from '../domain/rights.js';
import { toUser } from '../domain/to-user.js';
import { findVisibleUser } from './find-visible-user.js';

/** One user; a deleted one only when asked for. A member sees itself, and cannot tell whether any other id exists (S68). */
export function showUser(deps: Dependencies): UseCase<typeof userApi.showUser> {
  return async ({ params, query }, context) => {
    requireManagerOrSelf(actorOf(context.principal, deps.access), params.id);
    const user = await findVisibleUser(deps, params.id, query.deleted);
    if (user === null) throw new Problem('not-found');
    return { user: toUser(user) };
  };
}
