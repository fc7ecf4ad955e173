import type { userApi } from '@latchkey/contracts';
import type { Dependencies, UseCase } from '../dependencies.js';
import { foldText } from '../domain/fold.js';
import { prefixRange } from '../domain/prefix-range.js';
import { actorOf, requireManager } from '../domain/rights.js';
import { isGram } from '../domain/search-keys.js';
import { toUser } from '../domain/to-user.js';
import type { UserRecord } from '../models/user-record.js';

type State = 'active' | 'deleted';

/** One page by ascending id. One more than asked for is read, to know whether there is a next page. */
export function listUsers(deps: Dependencies): UseCase<typeof userApi.listUsers> {
  return async ({ query }, context) => {
    requireManager(actorOf(context.principal, deps.access));
    const states: State[] = query.deleted ? ['active', 'deleted'] : ['active'];
    const readPage = async (state: State) =>
      deps.models.users
        .find({ _id: { $gt: query.after ?? 0 }, ...(await filterOf(deps, query.q, state)) })
        .sort({ _id: 1 })
        .limit(query.limit + 1)
        .lean<UserRecord[]>();
    // Each state by itself, since only then an index gives the order; active ones first, so that who is deleted meanwhile is met twice and not missed.
    const met = new Map<number, UserRecord>();
    for (const state of states) for (const user of await readPage(state)) met.set(user._id, user);
    const found = [...met.values()].sort((one, other) => one._id - other._id);
    const page = found.slice(0, query.limit);
    const next = found.length > query.limit ? (page.at(-1)?._id ?? null) : null;
    return { users: page.map(toUser), next };
  };
}

/** The condition for those in a state of whom the email or a name begins with `q`. */
async function filterOf(deps: Dependencies, q: string | undefined, state: State) {
  if (q === undefined) return { state };
  const prefix = foldText(q);
  if (isGram(prefix) && (await haveGrams(deps, state))) return { state, searchGrams: prefix };
  const range = prefixRange(prefix);
  // The state stands in each branch, so that an index of its own (state, then the folded field) serves it; the position does not, for a walk along it.
  return {
    $or: [
      { state, searchEmail: range },
      { state, searchFirstName: range },
      { state, searchLastName: range },
    ],
  };
}

/** False while users of before there were grams wait for theirs (`fill-search-grams.ts`). */
async function haveGrams({ models }: Dependencies, state: State): Promise<boolean> {
  return (await models.users.exists({ state, searchGrams: null })) === null;
}
