import type { AggregateFields } from '../aggregate.js';
import type { OutboxModel } from './aggregates.js';
import { BatchLease, type Emptied } from './batch-lease.js';
import { waiting } from './entries.js';
import { type Published, publishEntries } from './publish-entries.js';
import { type RelayDeps, type RelayResult, relayHeld } from './relay-aggregate.js';

/**
 * Publishes what waits in the outboxes of many aggregates: one write takes them, one write empties them. What does not go smoothly goes on aggregate by
 * aggregate. The results are those of `relayAggregate`, by `String(id)`; one without a result threw.
 */
export async function relayBatch(
  model: OutboxModel,
  ids: readonly unknown[],
  deps: RelayDeps,
): Promise<Map<string, RelayResult>> {
  const lease = new BatchLease(model, deps.owner, deps.leaseMs);
  const results = new Map<string, RelayResult>(ids.map((id) => [String(id), 'idle']));
  try {
    const documents = await lease.take(ids);
    const goOn = () => lease.held && !deps.stopping();
    const published = await Promise.all(
      documents.map(async (document) => ({ document, ...(await publishDue(document, deps, goOn)) })),
    );
    const left = new Set<Emptied>(await lease.finish(published.filter(isEmptied)));
    const untouched = published.filter((each) => isUntouched(each) && !isEmptied(each));
    await lease.release(untouched.map(({ document }) => document));
    // One renewal for all ends here, and each that goes on has its own.
    lease.stopRenewing();
    await Promise.all(
      published.map(async (each) => {
        const id = each.document._id;
        if (isEmptied(each) && !left.has(each)) results.set(String(id), 'published');
        else if (untouched.includes(each)) results.set(String(id), each.unavailable ? 'unavailable' : 'idle');
        else results.set(String(id), await relayHeld(lease.alone(id), each.document, deps, each));
      }),
    );
    return results;
  } finally {
    lease.stopRenewing();
  }
}

type Attempted = Published & Emptied & { readonly due: number };

function isEmptied({ document, gone }: Attempted): boolean {
  return gone.length === waiting(document.outbox).length;
}

/** Nothing came of it: the engine is away, or there is no time left. */
function isUntouched({ gone, failed, unavailable, due }: Attempted): boolean {
  return gone.length + failed.length === 0 && (unavailable || due > 0);
}

async function publishDue(document: AggregateFields, deps: RelayDeps, goOn: () => boolean) {
  const due = waiting(document.outbox).filter((entry) => deps.calendar.isDue(entry));
  const published = await publishEntries(document._id, due, deps, goOn);
  deps.calendar.settled(published.gone);
  return { ...published, due: due.length };
}
