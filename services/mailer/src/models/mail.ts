import type { Mail, MailState, MailTemplate } from '@latchkey/contracts';
import { type AggregateFields, aggregateFields, indexAggregate } from '@latchkey/persistence';
import { type Connection, type Model, Schema } from 'mongoose';
import type { MailData } from '../templates/template.js';

/** Sealed secrets of a mail's links (`createSealer`); gone with the write that ends the mail. */
export interface MailSecrets {
  token?: string;
  disownToken?: string;
}

/** One mail and its whole story. `_id` is the id of the event that asked for it, so that a redelivered event finds it there (F31). */
export interface MailDocument extends AggregateFields<string> {
  template: MailTemplate;
  to: string;
  /** null: a receipt of somebody who was not logged in. */
  userId: number | null;
  data: MailData[MailTemplate];
  secrets?: MailSecrets;
  subject: string;
  language: string;
  state: MailState;
  attempts: (Omit<Mail['attempts'][number], 'at'> & { at: Date })[];
  nextAttemptAt: Date | null;
  notAfter: Date | null;
  messageId: string;
  requestId: string;
  /** W3C trace context of the order, while there is tracing. */
  traceparent?: string;
  replayOf: string | null;
  /** SHA-256 of the link's token: by it auth knows what to restore. */
  tokenHash: string | null;
  createdAt: Date;
  sentAt: Date | null;
  /** When it reached a state that it will not leave. */
  finishedAt: Date | null;
  /** Who sends it now, and when that was last renewed, by the database's clock. */
  leaseOwner?: string;
  leasedAt?: Date;
}

export type MailModel = Model<MailDocument>;

/** The delivery log. */
export function mailModel(connection: Connection): MailModel {
  const schema = new Schema<MailDocument>(
    {
      ...aggregateFields,
      _id: { type: String, required: true },
      template: { type: String, required: true },
      to: { type: String, required: true },
      userId: { type: Number, default: null },
      data: { type: Schema.Types.Mixed, required: true },
      secrets: { type: new Schema({ token: String, disownToken: String }, { _id: false }) },
      subject: { type: String, required: true },
      language: { type: String, required: true },
      state: { type: String, required: true },
      attempts: [new Schema({ at: Date, outcome: String, code: String, response: String }, { _id: false })],
      nextAttemptAt: { type: Date, default: null },
      notAfter: { type: Date, default: null },
      messageId: { type: String, required: true },
      requestId: { type: String, required: true },
      traceparent: String,
      replayOf: { type: String, default: null },
      tokenHash: { type: String, default: null },
      createdAt: { type: Date, required: true },
      sentAt: { type: Date, default: null },
      finishedAt: { type: Date, default: null },
      leaseOwner: String,
      leasedAt: Date,
    },
    { collection: 'mails', versionKey: false, minimize: false },
  );
  schema.index({ state: 1, nextAttemptAt: 1 });
  schema.index({ createdAt: -1, _id: -1 });
  schema.index({ requestId: 1, createdAt: -1, _id: -1 });
  schema.index({ state: 1, createdAt: -1, _id: -1 });
  schema.index({ finishedAt: 1 });
  indexAggregate(schema);
  return connection.model<MailDocument>('Mail', schema);
}
