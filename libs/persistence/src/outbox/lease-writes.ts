import type { AggregateFields } from '../aggregate.js';
import { leaseIsFree } from '../database-lease.js';

// What takes, renews and ends the lease of an outbox, as filters and updates: the same for one aggregate and for many.

/** Publishing is no change of the aggregate. */
export const quietly = { timestamps: false } as const;

/** What the relay reads of an aggregate: its own fields may be large. */
export const relayed = { version: 1, outbox: 1, outboxOwner: 1 } as const;

export const freeToTake = (leaseMs: number) => ({ outboxPending: true, ...leaseIsFree('outboxLeasedAt', leaseMs) });

export const taking = (owner: string) => ({
  $set: { outboxOwner: owner },
  $currentDate: { outboxLeasedAt: true as const },
});

export const renewing = { $currentDate: { outboxLeasedAt: true as const } };

export const releasing = { $unset: { outboxOwner: 1 as const, outboxLeasedAt: 1 as const } };

const ending = { outboxPending: 1 as const, outboxOwner: 1 as const, outboxLeasedAt: 1 as const };

/** Removes what was published and the pending flag in one write, on condition that nothing was changed since `document` was read. */
export const emptying = (owner: string, { _id, version }: AggregateFields, gone: readonly string[]) => ({
  filter: { _id, outboxOwner: owner, version },
  update: { $unset: ending, ...(gone.length > 0 && { $pull: { outbox: { id: { $in: gone } } } }) },
});

/** The same for several that were read at the same version, and of which nothing stays. */
export const emptyingAll = (owner: string, version: number, ids: readonly unknown[]) => ({
  filter: { _id: { $in: ids }, outboxOwner: owner, version },
  update: { $unset: ending, $set: { outbox: [] } },
});
