/** The part of Stripe's objects that the simulator keeps, in Stripe's own words (API version 2026-10-28.endive). Times are seconds. */
export interface StripeObject {
  id: string;
  object: string;
  created: number;
  livemode: false;
  metadata: Record<string, string>;
}

export interface Product extends StripeObject {
  object: 'product';
  active: boolean;
  name: string;
  description: string | null;
  images: string[];
  default_price: string | null;
  type: 'service';
  updated: number;
}

export interface Price extends StripeObject {
  object: 'price';
  active: boolean;
  billing_scheme: 'per_unit';
  currency: string;
  nickname: string | null;
  product: string;
  recurring: { interval: string; interval_count: number; usage_type: 'licensed'; meter: null } | null;
  type: 'one_time' | 'recurring';
  unit_amount: number;
  unit_amount_decimal: string;
}

export interface Customer extends StripeObject {
  object: 'customer';
  email: string | null;
  name: string | null;
  description: string | null;
  deleted?: true;
}

export interface LineItem {
  id: string;
  object: 'item';
  amount_discount: 0;
  amount_subtotal: number;
  amount_tax: 0;
  amount_total: number;
  currency: string;
  description: string;
  price: Price;
  quantity: number;
}

export interface Session extends StripeObject {
  object: 'checkout.session';
  amount_subtotal: number;
  amount_total: number;
  cancel_url: string | null;
  client_reference_id: string | null;
  currency: string;
  customer: string | null;
  customer_details: { email: string | null; name: string | null; phone: null; address: null; tax_ids: [] } | null;
  customer_email: string | null;
  expires_at: number;
  invoice: string | null;
  mode: 'payment' | 'subscription';
  payment_intent: string | null;
  payment_method_types: string[];
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  status: 'open' | 'complete' | 'expired';
  subscription: string | null;
  success_url: string;
  ui_mode: 'hosted_page';
  url: string | null;
}

export interface PaymentIntent extends StripeObject {
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  last_payment_error: { type: 'card_error'; code: string; message: string } | null;
  latest_charge: string | null;
  status: 'processing' | 'requires_payment_method' | 'succeeded';
}

export interface Charge extends StripeObject {
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  billing_details: { email: string | null; name: string | null };
  captured: boolean;
  currency: string;
  customer: string | null;
  paid: boolean;
  payment_intent: string;
  refunded: boolean;
  status: 'succeeded' | 'failed';
}

export interface Refund extends StripeObject {
  object: 'refund';
  amount: number;
  charge: string;
  currency: string;
  payment_intent: string;
  reason: string | null;
  status: 'succeeded';
}

export interface Subscription extends StripeObject {
  object: 'subscription';
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  collection_method: 'charge_automatically';
  currency: string;
  customer: string;
  ended_at: number | null;
  items: { object: 'list'; data: SubscriptionItem[]; has_more: false; url: string };
  latest_invoice: string | null;
  start_date: number;
  status: 'active' | 'incomplete' | 'incomplete_expired' | 'past_due' | 'canceled';
}

export interface SubscriptionItem {
  id: string;
  object: 'subscription_item';
  created: number;
  current_period_start: number;
  current_period_end: number;
  metadata: Record<string, string>;
  price: Price;
  quantity: number;
  subscription: string;
}

export interface Invoice extends StripeObject {
  object: 'invoice';
  amount_due: number;
  amount_paid: number;
  billing_reason: 'subscription_create' | 'subscription_cycle';
  currency: string;
  customer: string;
  customer_email: string | null;
  parent: {
    type: 'subscription_details';
    quote_details: null;
    subscription_details: { subscription: string; metadata: Record<string, string> };
  };
  status: 'open' | 'paid' | 'void';
  total: number;
}

export interface Event extends Omit<StripeObject, 'metadata'> {
  object: 'event';
  api_version: string;
  data: { object: object };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** How an event's webhook stands. `held`: until somebody releases it. Times are milliseconds. */
export interface Delivery {
  id: string;
  state: 'pending' | 'held' | 'delivered' | 'given-up';
  attempts: number;
  nextAt: number;
  firstAt: number;
  lastAnswer: string | null;
}

/** The answer kept for an idempotency key. */
export interface KeptAnswer {
  id: string;
  fingerprint: string;
  status: number;
  body: unknown;
  at: number;
}

/** What a session needs beside its public form. `settleAt`: when a delayed payment comes to its end, milliseconds. */
export interface SessionNote {
  id: string;
  items: LineItem[];
  settleAt: number | null;
}

export interface Kinds {
  product: Product;
  price: Price;
  customer: Customer;
  session: Session;
  sessionNote: SessionNote;
  paymentIntent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  subscription: Subscription;
  invoice: Invoice;
  event: Event;
  delivery: Delivery;
  keptAnswer: KeptAnswer;
}
export type Kind = keyof Kinds;
