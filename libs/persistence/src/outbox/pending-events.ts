import type { Clock } from '@latchkey/kit';
import type { OutboxModel } from './aggregates.js';
import { waiting } from './entries.js';

/** `count`: aggregates with something to publish. `oldestSeconds`: age of the oldest event, 0 when none waits; exact up to 500 aggregates. */
export interface PendingEvents {
  readonly count: number;
  readonly oldestSeconds: number;
}

const LOOKED_AT = 500;

export async function pendingEvents(models: readonly OutboxModel[], clock: Clock): Promise<PendingEvents> {
  let count = 0;
  let oldest = clock.now();
  for (const model of models) {
    const documents = await model
      .find({ outboxPending: true })
      .select({ outbox: 1 })
      .sort({ _id: 1 })
      .limit(LOOKED_AT)
      .lean();
    count += documents.length < LOOKED_AT ? documents.length : await model.countDocuments({ outboxPending: true });
    for (const { outbox } of documents) {
      for (const entry of waiting(outbox)) oldest = Math.min(oldest, entry.occurredAt.getTime());
    }
  }
  return { count, oldestSeconds: Math.max(0, (clock.now() - oldest) / 1000) };
}
