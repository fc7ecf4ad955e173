import { z } from 'zod';
import { email, timestamp, userId } from '../fields.js';
import { checkoutId } from '../payment.js';
import { defineEvent } from './event.js';

/** An event of the payment provider is durably stored; the processor applies it by fetching the object's current state. */
export const stripeEventReceived = defineEvent(
  'payment.stripe-event-received.v1',
  z.object({ eventId: z.string().min(1), type: z.string() }),
);

/** A user's customer at the payment provider. null: it has none any more (deleted there). */
export const customerLinked = defineEvent(
  'payment.customer-linked.v1',
  z.object({ userId, paymentCustomerId: z.string().nullable() }),
);

/** One line of a receipt. `amount`: of the whole line, in the currency's smallest unit. */
export const receiptItem = z.object({ description: z.string(), quantity: z.int(), amount: z.int() });

const settledCheckout = z.object({
  checkoutId,
  /** null: bought without being logged in. */
  userId: userId.nullable(),
  to: email,
  name: z.string().nullable(),
  /** ISO 4217, lower case, as the provider writes it. Zero-decimal currencies (JPY …) have whole units as their smallest one. */
  currency: z.string(),
  amount: z.int(),
  items: z.array(receiptItem),
  languages: z.string().nullable(),
  settledAt: timestamp,
});

/** A checkout was paid: exactly one of these per paid checkout. */
export const checkoutCompleted = defineEvent('payment.checkout-completed.v1', settledCheckout);

/** A payment that takes time was refused in the end. */
export const checkoutFailed = defineEvent('payment.checkout-failed.v1', settledCheckout);
