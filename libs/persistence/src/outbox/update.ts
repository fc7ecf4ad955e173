import type { Change, OutboxEntry } from '../aggregate.js';
import { dropUndefined } from '../drop-undefined.js';

const operators = ['$set', '$unset', '$inc', '$push', '$pull', '$addToSet'] as const;
const reserved = /^(_id|version|outbox|outboxPending|outboxOwner|outboxLeasedAt)(\.|$)/;

/** The one update that a change and its events become. Throws when a use case reaches for the fields that belong to the outbox. */
export function toUpdate(change: Change, entries: readonly OutboxEntry[]): Record<string, Record<string, unknown>> {
  const update: Record<string, Record<string, unknown>> = {};
  for (const operator of operators) {
    const fields = dropUndefined(change[operator] ?? {}) as Record<string, unknown>;
    const wrong = Object.keys(fields).find((field) => reserved.test(field));
    if (wrong !== undefined)
      throw new Error(`${operator} of "${wrong}": this field is written by the aggregate itself`);
    if (Object.keys(fields).length > 0) update[operator] = fields;
  }
  update.$inc = { ...update.$inc, version: 1 };
  if (entries.length > 0) {
    update.$push = { ...update.$push, outbox: { $each: entries } };
    update.$set = { ...update.$set, outboxPending: true };
  }
  return update;
}
