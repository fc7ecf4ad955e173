import { leaseIsFree } from '../database-lease.js';
import type { OutboxModel } from './aggregates.js';
import type { Backlog } from './backlog.js';

const PAGE = 200;
const ENOUGH = 1_000;

/**
 * Puts pending aggregates that nobody publishes into the backlog. Goes on where the sweep before ended, so that a thousand failing ones cannot
 * hide those behind them (O8). True when it found some to publish and ended with more
 * behind them.
 */
export async function sweepPending(
  models: readonly OutboxModel[],
  cursors: Map<string, unknown>,
  leaseMs: number,
  backlog: Backlog,
): Promise<boolean> {
  let more = false;
  let found = 0;
  for (const model of models) {
    const name = model.collection.name;
    for (let seen = 0; ; seen += PAGE) {
      if (seen >= ENOUGH || backlog.size >= ENOUGH) {
        more = true;
        break;
      }
      const after = cursors.get(name);
      const page = await model
        .find({
          outboxPending: true,
          ...(after !== undefined && { _id: { $gt: after } }),
          ...leaseIsFree('outboxLeasedAt', leaseMs),
        })
        .select({ _id: 1 })
        .sort({ _id: 1 })
        .limit(PAGE)
        .lean();
      for (const { _id } of page) if (backlog.found(model, _id)) found += 1;
      cursors.set(name, page.length === PAGE ? page[PAGE - 1]?._id : undefined);
      if (page.length < PAGE) break;
    }
  }
  return more && found > 0;
}
