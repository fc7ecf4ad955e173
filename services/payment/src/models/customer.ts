import { type AggregateFields, aggregateFields, indexAggregate } from '@latchkey/persistence';
import mongoose from 'mongoose';

/** The customer at the provider that stands for a user; `_id` is the user's id. Kept when the user is deleted: invoices go on naming it. */
export interface CustomerDocument extends AggregateFields<number> {
  provider: string;
  /** What the customer was or is being made with: a call that is made again must be the same call. */
  email: string;
  name: string;
  idempotencyKey: string;
  customerId?: string;
  createdAt: Date;
  linkedAt?: Date;
  /** The user was deleted: nothing may be billed from then on. */
  userDeletedAt?: Date;
}

export const customerSchema = new mongoose.Schema<CustomerDocument>(
  {
    ...aggregateFields,
    _id: { type: Number, required: true },
    provider: { type: String, required: true },
    email: { type: String, required: true },
    name: { type: String, default: '' },
    idempotencyKey: { type: String, required: true },
    customerId: String,
    createdAt: { type: Date, required: true },
    linkedAt: Date,
    userDeletedAt: Date,
  },
  { versionKey: false },
);

indexAggregate(customerSchema);
customerSchema.index({ customerId: 1 }, { sparse: true });
