import mongoose from 'mongoose';

/** Up to when the provider's list of events was read; `_id` is the provider's name. */
export interface EventCursorDocument {
  _id: string;
  readUntil: Date;
}

export const eventCursorSchema = new mongoose.Schema<EventCursorDocument>(
  { _id: { type: String, required: true }, readUntil: { type: Date, required: true } },
  { versionKey: false },
);
