import type { userApi } from '@latchkey/contracts';
import type { Dependencies, UseCase } from '../dependencies.js';
import { emailKeyOf, foldText } from '../domain/fold.js';
import { prefixRange } from '../domain/prefix-range.js';
import { actorOf, requireManager } from '../domain/rights.js';
import { toUser } from '../domain/to-user.js';
import type { UserRecord } from '../models/user-record.js';

/** One page by ascending id. One more than asked for is read, to know whether there is a next page. */
export function listUsers(deps: Dependencies): UseCase<typeof userApi.listUsers> {
  return async ({ query }, context) => {
    requireManager(actorOf(context.principal, deps.access));
    const found = await deps.models.users
      .find(pageFilter(query.q, query.after ?? 0, query.deleted))
      .sort({ _id: 1 })
      .limit(query.limit + 1)
      .lean<UserRecord[]>();
    const page = found.slice(0, query.limit);
    const next = found.length > query.limit ? (page.at(-1)?._id ?? null) : null;
    return { users: page.map(toUser), next };
  };
}

/** The state stands in each branch of a search, so that an index of its own (state, then the folded field) serves it; the position does not, for a walk along it. */
function pageFilter(q: string | undefined, after: number, deletedToo: boolean) {
  const state = deletedToo ? { $in: ['active', 'deleted'] as const } : ('active' as const);
  const behind = { _id: { $gt: after } };
  if (q === undefined) return { state, ...behind };
  const name = prefixRange(foldText(q));
  return {
    ...behind,
    $or: [
      { state, searchEmail: prefixRange(emailKeyOf(q)) },
      { state, searchFirstName: name },
      { state, searchLastName: name },
    ],
  };
}
