import { type Connection, type Model, Schema } from 'mongoose';

/** One counter of one limit. `_id`: the limit and what it counts; never an email in plain text. */
export interface Throttle {
  _id: string;
  count: number;
  /** When it last rose. */
  lastAt: Date;
  /** When the window or the memory ends; removed after it. */
  expiresAt: Date;
}

const schema = new Schema<Throttle>(
  {
    _id: String,
    count: { type: Number, required: true },
    lastAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Init it before it is used: its `_id` alone decides who begins a window (P16). */
export function throttleModel(connection: Connection): Model<Throttle> {
  const existing = connection.models.Throttle as Model<Throttle> | undefined;
  return existing ?? connection.model<Throttle>('Throttle', schema, 'throttles');
}
