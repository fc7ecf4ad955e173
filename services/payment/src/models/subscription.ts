import mongoose from 'mongoose';

/** A subscription as it was last fetched from the provider; `_id` is its id there. `tickets` and `applied` as in the catalogue. */
export interface SubscriptionDocument {
  _id: string;
  tickets: number;
  applied: number;
  customerId?: string;
  status?: string;
  open?: boolean;
  cancelAtPeriodEnd?: boolean;
  currentPeriodEnd?: Date | null;
  fetchedAt?: Date;
}

export const subscriptionSchema = new mongoose.Schema<SubscriptionDocument>(
  {
    _id: { type: String, required: true },
    tickets: { type: Number, default: 0 },
    applied: { type: Number, default: 0 },
    customerId: String,
    status: String,
    open: Boolean,
    cancelAtPeriodEnd: Boolean,
    currentPeriodEnd: Date,
    fetchedAt: Date,
  },
  { versionKey: false },
);

subscriptionSchema.index({ customerId: 1 }, { sparse: true });
