import type { AggregateFields } from '../aggregate.js';
import type { OutboxModel } from './aggregates.js';
import { waiting } from './entries.js';
import { OutboxLease } from './outbox-lease.js';
import { type PublishDeps, type Published, publishEntries } from './publish-entries.js';
import type { RetryCalendar } from './retry-calendar.js';

/** Failed attempts after which an entry is set aside (O8). */
export const MAX_ATTEMPTS = 20;

export interface RelayDeps extends PublishDeps {
  readonly owner: string;
  readonly leaseMs: number;
  readonly calendar: RetryCalendar;
  readonly stopping: () => boolean;
}

/** `published`: all of it. `idle`: nothing to do here, or no longer ours. `failed`: some entries were refused and are due again later. `unavailable`: the engine is away. */
export type RelayResult = 'published' | 'idle' | 'failed' | 'unavailable';

/** Publishes what waits in one aggregate's outbox. A crash anywhere in here leaves the entries where they are or publishes them twice (O1, O2). */
export async function relayAggregate(model: OutboxModel, id: unknown, deps: RelayDeps): Promise<RelayResult> {
  const lease = new OutboxLease(model, id, deps.owner, deps.leaseMs);
  const document = await lease.take();
  return document === null ? 'idle' : relayHeld(lease, document, deps);
}

/** Goes on with an outbox whose lease is ours, until it is empty or has to wait. `attempted`: what was made of `first` already. */
export async function relayHeld(
  lease: OutboxLease,
  first: AggregateFields,
  deps: RelayDeps,
  attempted?: Published,
): Promise<RelayResult> {
  let document: AggregateFields | null = first;
  let published = attempted;
  try {
    for (;;) {
      const goOn = () => lease.held && !deps.stopping();
      const all = waiting(document.outbox);
      const due = all.filter((entry) => deps.calendar.isDue(entry));
      published ??= await publishEntries(document._id, due, deps, goOn);
      const { gone, failed, unavailable } = published;
      published = undefined;
      deps.calendar.settled(gone);
      if (gone.length === all.length && (await lease.finish(document, gone))) return 'published';

      document = await lease.pull(gone);
      if (document === null || document.outboxOwner !== deps.owner) return 'idle';
      if (failed.length > 0 || due.length < all.length) return await setAside(lease, document, failed, deps);
      if (unavailable || !goOn()) {
        await lease.release();
        return unavailable ? 'unavailable' : 'idle';
      }
    }
  } finally {
    lease.stopRenewing();
  }
}

async function setAside(
  lease: OutboxLease,
  document: AggregateFields,
  failed: readonly { readonly id: string; readonly reason: string }[],
  deps: RelayDeps,
): Promise<RelayResult> {
  for (const { id, reason } of failed) {
    const at = document.outbox.findIndex((entry) => entry.id === id);
    const entry = document.outbox[at];
    if (entry === undefined) continue;
    const givenUp = (entry.attempts ?? 0) + 1 >= MAX_ATTEMPTS;
    if (givenUp) deps.logger.error({ eventId: id, event: entry.name, reason }, 'event quarantined: it needs a person');
    deps.calendar.failed(entry);
    await lease.noteFailure(at, id, givenUp ? new Date(deps.clock.now()) : null);
  }
  const now = await lease.pull([]);
  if (now !== null && waiting(now.outbox).length === 0 && (await lease.finish(now, []))) return 'idle';
  await lease.release();
  return 'failed';
}
