import type { WebhookEventState } from '@latchkey/contracts';
import { type AggregateFields, aggregateFields, indexAggregate } from '@latchkey/persistence';
import mongoose from 'mongoose';

/** One event of the provider; `_id` is its id there, so that a second copy cannot be stored (F26). The body is not kept: it may hold personal data. */
export interface WebhookEventDocument extends AggregateFields<string> {
  provider: string;
  type: string;
  objectId: string | null;
  state: WebhookEventState;
  source: 'webhook' | 'reconciler';
  attempts: number;
  lastError: string | null;
  replays: number;
  createdAt: Date;
  receivedAt: Date;
  appliedAt?: Date;
  requestId: string;
  /** Set with the effect; after it the database removes the document. */
  expiresAt?: Date;
}

const DAY_MS = 24 * 3600 * 1000;

/** The times of an event that nothing more follows from. `now`: ms since 1970. */
export function endedAt(now: number, { retentionDays }: { readonly retentionDays: number }) {
  return { appliedAt: new Date(now), expiresAt: new Date(now + retentionDays * DAY_MS) };
}

export const webhookEventSchema = new mongoose.Schema<WebhookEventDocument>(
  {
    ...aggregateFields,
    _id: { type: String, required: true },
    provider: { type: String, required: true },
    type: { type: String, required: true },
    objectId: { type: String, default: null },
    state: { type: String, required: true },
    source: { type: String, required: true },
    attempts: { type: Number, default: 0 },
    lastError: { type: String, default: null },
    replays: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    receivedAt: { type: Date, required: true },
    appliedAt: Date,
    requestId: { type: String, required: true },
    expiresAt: Date,
  },
  { versionKey: false },
);

indexAggregate(webhookEventSchema);
webhookEventSchema.index({ receivedAt: -1, _id: -1 });
webhookEventSchema.index({ requestId: 1, receivedAt: -1, _id: -1 });
webhookEventSchema.index({ state: 1, receivedAt: -1, _id: -1 });
webhookEventSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
