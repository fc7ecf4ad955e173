import type { Role } from '@latchkey/contracts';
import { type AggregateFields, aggregateFields, indexAggregate } from '@latchkey/persistence';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Claim } from '../domain/claim.js';
import type { EmailChange } from '../domain/email-change.js';
import type { SearchKeys } from '../domain/search-keys.js';

/** What auth must still do before a request about this user may be answered with success; its event says the same once more. */
export const authDebts = ['disable-credentials', 'end-sessions', 'drop-resets'] as const;
export type AuthDebt = (typeof authDebts)[number];

/** `pending`: being created under a claim, visible to nobody. `deleted`: soft; pending events survive in it (O6). */
export type UserState = 'pending' | 'active' | 'deleted';

/** The event that last told of the user's customer: one with a lower or the same sequence of that aggregate is old or a duplicate. */
export interface CustomerLink {
  readonly aggregateId: string;
  readonly sequence: number;
}

/** The search keys are set from the activation on. Without grams: written before there were any. */
export interface UserRecord extends AggregateFields<number>, Partial<SearchKeys> {
  email: string;
  /** Folded email; set while pending or active, so that a deleted user's email is free again. Unique. */
  emailKey?: string;
  first_name: string;
  last_name: string;
  role: Role;
  /** Rises when the user is written into the roster of admins: a step-down that began before sees it and begins again. */
  rosterEpoch: number;
  state: UserState;
  claim?: Claim;
  paymentCustomerId?: string;
  customerLink?: CustomerLink;
  emailChange?: EmailChange;
  /** When changes of email that need a confirmation were asked for, in the last hour. */
  emailChangesAskedAt?: Date[];
  owedToAuth: AuthDebt[];
  createdAt: Date;
  updatedAt: Date;
  deletedAt?: Date;
  /** When a deleted user's personal data was wiped. */
  erasedAt?: Date;
}

const schema = new Schema<UserRecord>(
  {
    ...aggregateFields,
    _id: { type: Number, required: true },
    email: String,
    emailKey: String,
    first_name: String,
    last_name: String,
    searchEmail: String,
    searchFirstName: String,
    searchLastName: String,
    searchGrams: { type: [String], default: undefined },
    role: { type: String, enum: ['admin', 'member'] },
    rosterEpoch: { type: Number, default: 0 },
    state: { type: String, enum: ['pending', 'active', 'deleted'] },
    claim: { type: new Schema<Claim>({ id: String, until: Date }, { _id: false }) },
    paymentCustomerId: String,
    customerLink: { type: new Schema<CustomerLink>({ aggregateId: String, sequence: Number }, { _id: false }) },
    emailChange: {
      type: new Schema<EmailChange>(
        { newEmail: String, tokenHash: String, requestedAt: Date, requestId: String, expiresAt: Date },
        { _id: false },
      ),
    },
    emailChangesAskedAt: { type: [Date], default: undefined },
    owedToAuth: [String],
    createdAt: Date,
    updatedAt: Date,
    deletedAt: Date,
    erasedAt: Date,
  },
  { versionKey: false, id: false },
);
indexAggregate(schema);
schema.index({ emailKey: 1 }, { unique: true, sparse: true });
schema.index({ state: 1, _id: 1 });
// A short prefix is one of the grams: the matches stand in the order of their ids, in which a page of them is wanted.
schema.index({ state: 1, searchGrams: 1, _id: 1 });
// A longer one is looked for in three: with the state first, each branch of the search is one equality and one range of one index.
schema.index({ state: 1, searchEmail: 1 });
schema.index({ state: 1, searchFirstName: 1 });
schema.index({ state: 1, searchLastName: 1 });
schema.index({ state: 1, role: 1 });
schema.index({ state: 1, deletedAt: 1 });
schema.index({ owedToAuth: 1 });

export function userModel(connection: Connection): Model<UserRecord> {
  return connection.model<UserRecord>('User', schema, 'users');
}
