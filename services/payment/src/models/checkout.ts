import type { CheckoutStatus } from '@latchkey/contracts';
import { type AggregateFields, aggregateFields, indexAggregate } from '@latchkey/persistence';
import mongoose from 'mongoose';

/**
 * One attempt to buy. It is written before the provider is called, with everything that the call needs, so that whoever finds it unfinished can make
 * exactly the same call again (F30).
 */
export interface CheckoutDocument extends AggregateFields<string> {
  provider: string;
  status: CheckoutStatus;
  userId: number | null;
  customerId: string | null;
  priceId: string;
  mode: 'payment' | 'subscription';
  quantity: number;
  currency: string;
  amount: number | null;
  successUrl: string;
  cancelUrl: string;
  languages: string | null;
  idempotencyKey: string;
  /** Who may take an unfinished one up again: the user or the address, price and quantity. Unset once the provider has answered. */
  attempt?: string;
  /** Until when the process that works on an unfinished one is left alone. */
  claimedUntil?: Date;
  sessionId?: string;
  url?: string;
  expiresAt?: Date;
  paymentId?: string;
  subscriptionId?: string;
  /** When the provider was last asked how it stands. */
  askedAt?: Date;
  createdAt: Date;
  settledAt?: Date;
  refundedAt?: Date;
  /** Of one that nobody paid for: after it the database removes the document. */
  removeAfter?: Date;
}

export const checkoutSchema = new mongoose.Schema<CheckoutDocument>(
  {
    ...aggregateFields,
    _id: { type: String, required: true },
    provider: { type: String, required: true },
    status: { type: String, required: true },
    userId: { type: Number, default: null },
    customerId: { type: String, default: null },
    priceId: { type: String, required: true },
    mode: { type: String, required: true },
    quantity: { type: Number, required: true },
    currency: { type: String, required: true },
    amount: { type: Number, default: null },
    successUrl: { type: String, required: true },
    cancelUrl: { type: String, required: true },
    languages: { type: String, default: null },
    idempotencyKey: { type: String, required: true },
    attempt: String,
    claimedUntil: Date,
    sessionId: String,
    url: String,
    expiresAt: Date,
    paymentId: String,
    subscriptionId: String,
    askedAt: Date,
    createdAt: { type: Date, required: true },
    settledAt: Date,
    refundedAt: Date,
    removeAfter: Date,
  },
  { versionKey: false },
);

indexAggregate(checkoutSchema);
checkoutSchema.index({ sessionId: 1 }, { unique: true, sparse: true });
checkoutSchema.index({ paymentId: 1 }, { sparse: true });
checkoutSchema.index({ attempt: 1 }, { sparse: true });
checkoutSchema.index({ status: 1, createdAt: 1 });
checkoutSchema.index({ status: 1, askedAt: 1 });
checkoutSchema.index({ removeAfter: 1 }, { expireAfterSeconds: 0 });
checkoutSchema.index({ userId: 1, status: 1 });
