import { type AggregateFields, aggregateFields, indexAggregate } from '@latchkey/persistence';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Credentials } from '../domain/credentials.js';

/** `_id`: the user's id. */
export type CredentialsDocument = Credentials & AggregateFields<number>;

const part = { _id: false, id: false } as const;
const text = { type: String, default: null };
const time = { type: Date, default: null };

const passwordSchema = new Schema({ hash: String, scheme: String, pepperId: text }, part);
const priorSchema = new Schema({ sealedHash: String, scheme: String, pepperId: text }, part);
const temporarySchema = new Schema({ since: Date, until: Date }, part);
const tokenSchema = new Schema(
  { hash: String, disownHash: text, kind: String, requestedAt: Date, expiresAt: Date },
  part,
);
const disownableChangeSchema = new Schema({ disownHash: String, until: Date }, part);

const schema = new Schema<CredentialsDocument>(
  {
    ...aggregateFields,
    _id: Number,
    state: { type: String, enum: ['provisional', 'active', 'disabled'], required: true },
    password: { type: passwordSchema, default: null },
    temporary: { type: temporarySchema, default: null },
    prior: { type: priorSchema, default: null },
    tokens: { type: [tokenSchema], default: [] },
    disownableChanges: { type: [disownableChangeSchema], default: [] },
    replacedAt: time,
    linksMailedAt: { type: [Date], default: [] },
    askedAt: time,
    sessionGeneration: { type: Number, required: true },
    keptSession: text,
    provisionalSince: time,
    invitedBy: text,
    dueAt: time,
  },
  { versionKey: false, minimize: false },
);
indexAggregate(schema);
schema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $type: 'date' } } });

export function credentialsModel(connection: Connection): Model<CredentialsDocument> {
  return connection.model<CredentialsDocument>('Credentials', schema, 'credentials');
}
