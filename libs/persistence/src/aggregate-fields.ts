import mongoose from 'mongoose';
import type { OutboxEntry } from './aggregate.js';

const outboxEntry = new mongoose.Schema<OutboxEntry>(
  {
    id: { type: String, required: true },
    name: { type: String, required: true },
    sequence: { type: Number, required: true },
    occurredAt: { type: Date, required: true },
    correlationId: { type: String, required: true },
    notAfter: Date,
    traceparent: String,
    payload: mongoose.Schema.Types.Mixed,
    attempts: Number,
    quarantinedAt: Date,
  },
  // `minimize` would drop an empty payload and with it the difference between `{}` and nothing.
  { _id: false, id: false, minimize: false },
);

/** Spread into the schema of every aggregate; then call {@link indexAggregate}. */
export const aggregateFields = {
  version: { type: Number, required: true, default: 0 },
  outbox: { type: [outboxEntry], default: [] },
  /** Present only while there may be something to publish, so that its index stays as small as the backlog. */
  outboxPending: { type: Boolean },
  outboxOwner: { type: String },
  outboxLeasedAt: { type: Date },
};

/** What the relay's sweep searches by (O1): pending aggregates, page by page. */
export function indexAggregate(schema: Pick<mongoose.Schema, 'index'>): void {
  schema.index({ outboxPending: 1, _id: 1 }, { partialFilterExpression: { outboxPending: true } });
}
