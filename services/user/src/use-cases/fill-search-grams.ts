import type { Dependencies } from '../dependencies.js';
import { searchKeys } from '../domain/search-keys.js';

/** So few that no request waits long for the writing of a page. */
const PAGE = 100;

/** Gives users who were written before there were grams theirs, page by page; until the last one has them, search does without (`list-users.ts`). */
export async function fillSearchGrams({ models, logger }: Dependencies, signal?: AbortSignal): Promise<void> {
  const { users } = models;
  const lacking = { state: { $in: ['active', 'deleted'] as const }, searchGrams: null };
  for (let filled = 0; !signal?.aborted; ) {
    const page = await users.find(lacking, { email: 1, first_name: 1, last_name: 1 }).limit(PAGE).lean();
    if (page.length === 0) {
      if (filled > 0) logger.info({ users: filled }, 'users got the grams that search goes by');
      return;
    }
    const writes = page.map((user) => {
      const { searchGrams } = searchKeys(user.email, user);
      // Whoever was renamed meanwhile got others.
      return { updateOne: { filter: { _id: user._id, searchGrams: null }, update: { $set: { searchGrams } } } };
    });
    await users.bulkWrite(writes);
    filled += page.length;
  }
}
