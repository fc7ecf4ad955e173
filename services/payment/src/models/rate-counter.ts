import mongoose from 'mongoose';

/** Checkouts begun by one address since `startedAt`. */
export interface RateCounterDocument {
  _id: string;
  startedAt: Date;
  count: number;
  expiresAt: Date;
}

export const rateCounterSchema = new mongoose.Schema<RateCounterDocument>(
  {
    _id: { type: String, required: true },
    startedAt: { type: Date, required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);

rateCounterSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
