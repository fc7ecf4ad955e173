import type { Product } from '@latchkey/contracts';

/** How a payment page stands, as the provider says it now. Times of events do not matter: this is asked for afresh (F27). */
export interface ProviderSession {
  readonly id: string;
  /** The id of our checkout that the session was made for; null when somebody else made it. */
  readonly checkoutId: string | null;
  readonly url: string | null;
  readonly expiresAt: Date;
  readonly status: 'open' | 'complete' | 'expired';
  readonly paymentStatus: 'paid' | 'unpaid' | 'no_payment_required';
  /** A payment that takes time was refused. False also where the provider does not say. */
  readonly paymentFailed: boolean;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly paymentId: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly currency: string | null;
  /** In the currency's smallest unit. */
  readonly amount: number | null;
}

export interface NewSession {
  readonly checkoutId: string;
  readonly priceId: string;
  readonly mode: 'payment' | 'subscription';
  readonly quantity: number;
  readonly customerId: string | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Kept before the call; the same key never makes a second session. */
  readonly idempotencyKey: string;
}

export interface LineItem {
  readonly description: string;
  readonly quantity: number;
  readonly amount: number;
}

export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly status: string;
  /** False once it has ended for good. */
  readonly open: boolean;
  readonly cancelAtPeriodEnd: boolean;
  readonly currentPeriodEnd: Date | null;
}

/** An event that the provider tells of. Only what is needed to fetch its object's current state is kept. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string | null;
  readonly createdAt: Date;
}

export interface ChargeState {
  readonly paymentId: string | null;
  /** All of it was given back. */
  readonly refunded: boolean;
}

/** `within`: milliseconds after which the caller no longer waits. */
export interface CallOptions {
  readonly within?: number;
}

/**
 * The payment provider. Every method rejects with `ProviderError`. A second provider is a second implementation, named by the webhook's path
 * (`/webhook/<name>`).
 */
export interface PaymentProvider {
  readonly name: string;
  /** Active products with their active prices, all pages. */
  listProducts(options?: CallOptions): Promise<Product[]>;
  createCustomer(
    customer: { userId: number; email: string; name: string; idempotencyKey: string },
    options?: CallOptions,
  ): Promise<string>;
  /** The customer that an earlier `createCustomer` made for this user, for when its answer was lost long ago. */
  findCustomer(customer: { userId: number; email: string }, options?: CallOptions): Promise<string | null>;
  /** False when there is no such customer (any more). */
  updateCustomerEmail(customerId: string, email: string): Promise<boolean>;
  customerExists(customerId: string): Promise<boolean>;
  createSession(session: NewSession, options?: CallOptions): Promise<ProviderSession>;
  retrieveSession(sessionId: string, options?: CallOptions): Promise<ProviderSession | null>;
  listLineItems(sessionId: string, options?: CallOptions): Promise<LineItem[]>;
  /** Closes a payment page that nobody may use any more; one that is closed already is left alone. */
  expireSession(sessionId: string): Promise<void>;
  findSessionOfPayment(paymentId: string): Promise<ProviderSession | null>;
  retrieveCharge(chargeId: string): Promise<ChargeState | null>;
  retrieveSubscription(subscriptionId: string): Promise<ProviderSubscription | null>;
  listSubscriptions(customerId: string, options?: CallOptions): Promise<ProviderSubscription[]>;
  cancelSubscription(subscription: ProviderSubscription, when: 'now' | 'at-period-end'): Promise<void>;
  subscriptionOfInvoice(invoiceId: string): Promise<string | null>;
  /** Events made since then, newest first, page by page. `undelivered`: only those that the provider could not deliver. */
  listEvents(since: Date, options?: { undelivered?: boolean }): AsyncIterable<readonly ProviderEvent[]>;
  /** Throws `SignatureError` unless the bytes were signed with one of the secrets within 300 s of `now`, in both directions (P19). */
  verifyWebhook(payload: Buffer, signature: string | null, now: number): ProviderEvent;
}

/**
 * Why a call failed. `unavailable`: not reached, too slow, or busy; `failed`: it answered with an error of its own, or refuses our key; `missing`: it has
 * no such object; `rejected`: it refuses what was asked. The first two pass by themselves.
 */
export type ProviderFault = 'unavailable' | 'failed' | 'missing' | 'rejected';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    readonly fault: ProviderFault,
    message: string,
    readonly details: {
      /** Which parameter is to blame. */
      readonly param?: string;
      readonly code?: string;
      /** The provider repeated the answer that it had kept for this idempotency key. */
      readonly replayed?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
  }

  get passing(): boolean {
    return this.fault === 'unavailable' || this.fault === 'failed';
  }
}

/** The webhook was not signed by the provider, or too long ago, or for a time to come. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/** The signature is right but the body is no event. */
export class MalformedEventError extends Error {
  override readonly name = 'MalformedEventError';
}
