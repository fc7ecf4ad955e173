import { type Connection, type Model, Schema } from 'mongoose';
import type { Session } from '../domain/session.js';

const schema = new Schema<Session>(
  {
    _id: String,
    userId: { type: Number, required: true },
    role: { type: String, required: true },
    generation: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    lastSeen: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    address: { type: String, default: null },
    userAgent: { type: String, default: null },
  },
  { versionKey: false },
);
schema.index({ userId: 1, createdAt: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function sessionModel(connection: Connection): Model<Session> {
  return connection.model<Session>('Session', schema, 'sessions');
}
