import mongoose, { type Connection, type Model } from 'mongoose';

export interface DeadLetterDocument {
  /** Queue + ':' + event id; a hash of the bytes where no id can be read or it is too long for a path. */
  _id: string;
  queue: string;
  event?: string | null;
  reason: string;
  attempts: number;
  diedAt: Date;
  replayedAt?: Date | null;
  requestId?: string | null;
  /** The message whole, when its envelope could be read: what a replay puts back. */
  message?: unknown;
  /** The bytes, cut, when it could not: for a person to see, never replayed. */
  body?: Buffer | null;
  expiresAt: Date;
}

const schema = new mongoose.Schema<DeadLetterDocument>(
  {
    _id: String,
    queue: { type: String, required: true },
    event: String,
    reason: { type: String, required: true },
    attempts: { type: Number, required: true },
    diedAt: { type: Date, required: true },
    replayedAt: Date,
    requestId: String,
    message: mongoose.Schema.Types.Mixed,
    body: Buffer,
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, minimize: false, collection: 'dead_letters' },
);
schema.index({ diedAt: -1, _id: -1 });
schema.index({ requestId: 1, diedAt: -1, _id: -1 });
schema.index({ replayedAt: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function deadLetterModel(connection: Connection): Model<DeadLetterDocument> {
  const known = connection.models.DeadLetter as Model<DeadLetterDocument> | undefined;
  return known ?? connection.model<DeadLetterDocument>('DeadLetter', schema);
}
