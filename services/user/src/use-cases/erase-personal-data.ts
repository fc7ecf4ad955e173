import { newRequestId } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { NO_GRAMS } from '../domain/search-keys.js';

const PAGE = 100;

/**
 * Wipes names, email and payment customer of users that were deleted `days` ago; the record stays, so that its id keeps its meaning. A
 * record with events still to publish waits (O6). Null: never.
 */
export async function erasePersonalData(deps: Dependencies, days: number | null): Promise<void> {
  if (days === null) return;
  const { users } = deps.models;
  const now = deps.clock.now();
  const before = new Date(now - days * 24 * 60 * 60 * 1000);
  const due = await users
    .find({ state: 'deleted', deletedAt: { $lte: before }, erasedAt: null }, { _id: 1 })
    .sort({ deletedAt: 1 })
    .limit(PAGE)
    .lean();
  for (const { _id } of due) {
    await deps.aggregates.change(
      users,
      { _id, state: 'deleted' },
      (current) =>
        current.outbox.length > 0
          ? null
          : {
              $set: { email: '', first_name: '', last_name: '', searchGrams: NO_GRAMS, erasedAt: new Date(now) },
              $unset: { searchEmail: 1, searchFirstName: 1, searchLastName: 1, paymentCustomerId: 1 },
            },
      newRequestId(),
    );
  }
}
