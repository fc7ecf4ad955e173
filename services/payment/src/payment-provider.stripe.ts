import type Stripe from 'stripe';
import type { PaymentProvider } from './payment-provider.js';
import { createStripeClient, type StripeClient } from './stripe/stripe-client.js';
import { callStripe, orNull } from './stripe/stripe-faults.js';
import {
  CHECKOUT_KEY,
  idOf,
  toCatalogue,
  toEvent,
  toLineItem,
  toSession,
  toSubscription,
  USER_KEY,
} from './stripe/stripe-mapping.js';
import { verifyStripeWebhook } from './stripe/stripe-webhook.js';

/** Silence on a connection after which a request is given up. */
const TIMEOUT_MS = 10_000;
/** Calls of nobody who waits. */
const PATIENCE_MS = 30_000;
const PAGE = 100;

export interface StripeProviderOptions {
  readonly secretKey: string;
  /** One, or two during a rotation. */
  readonly webhookSecrets: readonly string[];
  readonly apiUrl?: string;
  readonly timeoutMs?: number;
}

/** Stripe behind the port, through its official SDK. `close` lets go of idle connections. */
export function createStripeProvider(o: StripeProviderOptions): PaymentProvider & { close(): void } {
  let client: StripeClient | undefined;
  const stripe = () => {
    client ??= createStripeClient({ ...o, timeoutMs: o.timeoutMs ?? TIMEOUT_MS });
    return client.stripe;
  };
  const sessions = () => stripe().checkout.sessions;
  const call = <T>(work: () => Promise<T>, within = PATIENCE_MS) => callStripe(within, work);

  return {
    name: 'stripe',
    close: () => client?.close(),

    listProducts: (options) =>
      call(async () => {
        const [products, prices] = await Promise.all([
          all(stripe().products.list({ active: true, limit: PAGE })),
          all(stripe().prices.list({ active: true, limit: PAGE })),
        ]);
        return toCatalogue(products, prices);
      }, options?.within),

    createCustomer: ({ userId, email, name, idempotencyKey }, options) =>
      call(
        async () =>
          (
            await stripe().customers.create(
              { email, name, metadata: { [USER_KEY]: String(userId) } },
              { idempotencyKey },
            )
          ).id,
        options?.within,
      ),
    findCustomer: ({ userId, email }, options) =>
      call(async () => {
        const found = await all(stripe().customers.list({ email, limit: PAGE }));
        return found.find((customer) => customer.metadata[USER_KEY] === String(userId))?.id ?? null;
      }, options?.within),
    updateCustomerEmail: async (customerId, email) =>
      (await orNull(call(() => stripe().customers.update(customerId, { email })))) !== null,
    customerExists: async (customerId) => {
      const customer = await orNull(call(() => stripe().customers.retrieve(customerId)));
      return customer !== null && !customer.deleted;
    },

    createSession: (session, options) =>
      call(async () => {
        const parameters: Stripe.Checkout.SessionCreateParams = {
          mode: session.mode,
          line_items: [{ price: session.priceId, quantity: session.quantity }],
          success_url: session.successUrl,
          cancel_url: session.cancelUrl,
          client_reference_id: session.checkoutId,
          metadata: { [CHECKOUT_KEY]: session.checkoutId },
          ...(session.customerId !== null && { customer: session.customerId }),
        };
        return toSession(await sessions().create(parameters, { idempotencyKey: session.idempotencyKey }));
      }, options?.within),
    retrieveSession: (id, options) =>
      orNull(
        call(async () => toSession(await sessions().retrieve(id, { expand: ['payment_intent'] })), options?.within),
      ),
    listLineItems: (id, options) =>
      call(async () => (await all(sessions().listLineItems(id, { limit: PAGE }))).map(toLineItem), options?.within),
    expireSession: async (id) => {
      const session = await orNull(call(() => sessions().retrieve(id)));
      if (session?.status === 'open') await call(() => sessions().expire(id));
    },
    findSessionOfPayment: (paymentId) =>
      call(async () => {
        const [session] = (await sessions().list({ payment_intent: paymentId, limit: 1 })).data;
        return session === undefined ? null : toSession(session);
      }),

    retrieveCharge: (id) =>
      orNull(
        call(async () => {
          const charge = await stripe().charges.retrieve(id);
          return { paymentId: idOf(charge.payment_intent), refunded: charge.refunded };
        }),
      ),
    retrieveSubscription: (id) => orNull(call(async () => toSubscription(await stripe().subscriptions.retrieve(id)))),
    listSubscriptions: (customer, options) =>
      call(
        async () =>
          (await all(stripe().subscriptions.list({ customer, status: 'all', limit: PAGE }))).map(toSubscription),
        options?.within,
      ),
    cancelSubscription: async ({ id, status }, when) => {
      // Only what runs has an end of a period to wait for.
      const atPeriodEnd = when === 'at-period-end' && ['active', 'trialing', 'past_due'].includes(status);
      await orNull<unknown>(
        call<unknown>(() =>
          atPeriodEnd
            ? stripe().subscriptions.update(id, { cancel_at_period_end: true })
            : stripe().subscriptions.cancel(id),
        ),
      );
    },
    subscriptionOfInvoice: async (id) => {
      const invoice = await orNull(call(() => stripe().invoices.retrieve(id)));
      return idOf(invoice?.parent?.subscription_details?.subscription);
    },

    async *listEvents(since, { undelivered } = {}) {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      const delivery = undelivered ? { delivery_success: false } : {};
      for (let after: string | undefined; ; ) {
        const page = await call(() =>
          stripe().events.list({
            created,
            ...delivery,
            limit: PAGE,
            ...(after !== undefined && { starting_after: after }),
          }),
        );
        yield page.data.map(toEvent);
        after = page.data.at(-1)?.id;
        if (!page.has_more || after === undefined) return;
      }
    },

    verifyWebhook: (payload, signature, now) =>
      verifyStripeWebhook(stripe().webhooks, payload, signature, { secrets: o.webhookSecrets, now }),
  };
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of pages) found.push(item);
  return found;
}
