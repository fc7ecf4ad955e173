import { z } from 'zod';
import { timestamp } from './fields.js';

/** How often a recurring price is charged: every `interval_count` intervals. */
export const recurrence = z.object({ interval: z.string(), interval_count: z.int() });

/** `unit_amount`: in the currency's smallest unit (cents; whole yen for a zero-decimal currency); null where the provider has no single amount (tiers). */
export const price = z.object({
  id: z.string(),
  currency: z.string(),
  unit_amount: z.int().nullable(),
  type: z.enum(['one_time', 'recurring']),
  recurring: recurrence.nullable(),
});
export type Price = z.output<typeof price>;

export const product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  images: z.array(z.string()),
  prices: z.array(price),
});
export type Product = z.output<typeof product>;

/** open → processing (a payment method that takes time) → paid | failed | expired; paid → refunded. These four never go back. */
export const checkoutStatus = z.enum(['open', 'processing', 'paid', 'failed', 'expired', 'refunded']);
export type CheckoutStatus = z.output<typeof checkoutStatus>;

/** 128 random bits, hexadecimal: who knows it may look at the checkout. */
export const checkoutId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits');

/** A checkout as every response shows it. It holds no email and no name. `url`: the provider's payment page, null once it is of no use. */
export const checkout = z.object({
  id: checkoutId,
  status: checkoutStatus,
  url: z.string().nullable(),
  expires_at: timestamp.nullable(),
  mode: z.enum(['payment', 'subscription']),
  price: z.string(),
  quantity: z.int(),
  currency: z.string(),
  /** What was or will be charged, in the currency's smallest unit; null while only the provider knows. */
  amount: z.int().nullable(),
  created_at: timestamp,
  settled_at: timestamp.nullable(),
});
export type Checkout = z.output<typeof checkout>;

/** received → applied | ignored (a kind of event nobody here acts on); `failing`: an attempt failed and another follows, or its message is a dead letter. */
export const webhookEventState = z.enum(['received', 'applied', 'ignored', 'failing']);
export type WebhookEventState = z.output<typeof webhookEventState>;

/** The largest webhook body that is taken, in bytes (S71). */
export const WEBHOOK_BODY_LIMIT = 256 * 1024;

/** A stored event of the payment provider. `source`: delivered by it, or fetched by the reconciler because it could not deliver it. */
export const webhookEvent = z.object({
  id: z.string(),
  provider: z.string(),
  type: z.string(),
  object_id: z.string().nullable(),
  state: webhookEventState,
  source: z.enum(['webhook', 'reconciler']),
  attempts: z.int(),
  last_error: z.string().nullable(),
  replays: z.int(),
  /** When the provider made it. */
  created_at: timestamp,
  received_at: timestamp,
  applied_at: timestamp.nullable(),
  request_id: z.string(),
});
export type WebhookEvent = z.output<typeof webhookEvent>;
