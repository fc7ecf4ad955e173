import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { ProviderEvent } from '../payment-provider.js';
import type { StoreEvent } from './store-event.js';

/** Where reading begins the first time. */
const FIRST_LOOK_BACK_MS = 3600 * 1000;
/** Events appear in the provider's list a little after their own time. */
const OVERLAP_MS = 10 * 60 * 1000;
/** For so long the provider tries to deliver; what it failed to by then is looked for as well. */
const DELIVERY_MS = 3 * 24 * 3600 * 1000;

/** Stores events that the provider could not deliver: those it says so of, and every one since the last look that nobody here has seen. */
export function fetchMissedEvents(deps: PaymentDependencies, store: StoreEvent) {
  const { eventCursors, webhookEvents } = deps.models;
  const _id = deps.provider.name;

  async function storeUnseen(events: readonly ProviderEvent[]): Promise<void> {
    const ids = events.map((event) => event.id);
    const known = await guardDatabase(() =>
      webhookEvents
        .find({ _id: { $in: ids } })
        .select({ _id: 1 })
        .lean<{ _id: string }[]>(),
    );
    const seen = new Set(known.map((event) => event._id));
    for (const event of events) {
      if (seen.has(event.id)) continue;
      const outcome = await store(event, 'reconciler', `reconcile-${event.id}`);
      if (outcome === 'stored') deps.logger.warn({ eventId: event.id, type: event.type }, 'an event was not delivered');
    }
  }

  async function read(since: Date, undelivered: boolean, signal?: AbortSignal): Promise<boolean> {
    for await (const page of deps.provider.listEvents(since, { undelivered })) {
      if (signal?.aborted) return false;
      await storeUnseen(page);
    }
    return true;
  }

  return async (signal?: AbortSignal): Promise<void> => {
    const startedAt = deps.clock.now();
    const cursor = await guardDatabase(() => eventCursors.findOne({ _id }).lean());
    const since = cursor?.readUntil ?? new Date(startedAt - FIRST_LOOK_BACK_MS);
    const whole = await read(new Date(since.getTime() - OVERLAP_MS), false, signal);
    if (cursor !== null && whole) await read(new Date(startedAt - DELIVERY_MS), true, signal);
    if (!whole || signal?.aborted) return;
    await guardDatabase(() =>
      eventCursors.updateOne({ _id }, { $set: { readUntil: new Date(startedAt) } }, { upsert: true }),
    );
  };
}
