import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { pageLimit, requestId } from '../fields.js';
import { checkout, checkoutId, product, WEBHOOK_BODY_LIMIT, webhookEvent, webhookEventState } from '../payment.js';

const providerRefusals = ['provider-failed', 'provider-unavailable', 'service-unavailable'] as const;
const adminRefusals = ['validation-failed', 'session-required', 'forbidden', 'service-unavailable'] as const;
const eventId = z.strictObject({ id: z.string().min(1).max(255) });

export const listProducts = defineEndpoint({
  method: 'GET',
  path: '/products',
  summary: 'Active products and their active prices',
  description: 'From the payment provider, cached for a while. Amounts are in the currency’s smallest unit.',
  tag: 'payments',
  access: 'public',
  success: { status: 200, description: 'All of them', body: z.object({ products: z.array(product) }) },
  refusals: providerRefusals,
});

export const startCheckout = defineEndpoint({
  method: 'GET',
  path: '/checkout',
  changesState: true,
  summary: 'Start a checkout',
  description:
    'Answers with the address of the provider’s payment page, or redirects there (303) when `Accept` prefers `text/html`. `price` may be left out when only one is active. Amounts come from the provider, never from the client. At most 20 a minute per address.',
  tag: 'payments',
  access: 'public',
  query: z.strictObject({
    price: z.string().min(1).max(255).optional(),
    quantity: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a number from 1 to 999')
      .transform(Number)
      .pipe(z.int().min(1).max(999))
      .default(1),
  }),
  success: { status: 200, description: 'Started', body: z.object({ checkout }) },
  otherAnswers: [
    {
      status: 303,
      description: 'Started, for a browser that follows a link (`Accept` prefers `text/html`)',
      body: z.object({ checkout }),
      headers: { Location: 'The provider’s payment page' },
    },
  ],
  refusals: ['validation-failed', 'cross-site-request', 'not-found', 'rate-limited', ...providerRefusals],
});

export const showCheckout = defineEndpoint({
  method: 'GET',
  path: '/checkout/:id',
  summary: 'How a checkout stands',
  description: 'Right even before the provider’s webhook has come: while it is open, the provider is asked.',
  tag: 'payments',
  access: 'public',
  params: z.strictObject({ id: checkoutId }),
  success: { status: 200, description: 'The checkout', body: z.object({ checkout }) },
  refusals: ['not-found', 'service-unavailable'],
});

export const receiveWebhook = defineEndpoint({
  method: 'POST',
  path: '/webhook/:provider',
  limited: false,
  summary: 'The payment provider’s webhook',
  description:
    'The body is taken byte for byte and its signature (`Stripe-Signature`) checked over exactly those bytes. 200 once the event is durably stored; duplicates and unknown kinds of events too.',
  tag: 'payments',
  access: 'public',
  params: z.strictObject({ provider: z.string().min(1).max(64) }),
  rawBody: true,
  bodyLimit: WEBHOOK_BODY_LIMIT,
  success: { status: 200, description: 'Stored', body: z.object({ received: z.literal(true) }) },
  refusals: ['webhook-signature-invalid', 'validation-failed', 'not-found', 'service-unavailable'],
});

export const listWebhookEvents = defineEndpoint({
  method: 'GET',
  path: '/webhook-events',
  summary: 'Events of the payment provider',
  description: '`request_id`: only those that this delivery brought. `state`: only events in it.',
  tag: 'admin',
  access: 'admin',
  query: z.strictObject({
    limit: pageLimit,
    after: z.string().min(1).max(512).optional(),
    request_id: requestId.optional(),
    state: webhookEventState.optional(),
  }),
  success: {
    status: 200,
    description: 'Newest first',
    body: z.object({ webhook_events: z.array(webhookEvent), next: z.string().nullable() }),
  },
  refusals: adminRefusals,
});

export const showWebhookEvent = defineEndpoint({
  method: 'GET',
  path: '/webhook-events/:id',
  summary: 'One event of the payment provider',
  tag: 'admin',
  access: 'admin',
  params: eventId,
  success: { status: 200, description: 'The event', body: z.object({ webhook_event: webhookEvent }) },
  refusals: [...adminRefusals, 'not-found'],
});

export const replayWebhookEvent = defineEndpoint({
  method: 'POST',
  path: '/webhook-events/:id/replay',
  summary: 'Apply an event once more',
  description: 'The current state of its object is fetched and applied, so that a replay cannot do harm.',
  tag: 'admin',
  access: 'admin',
  params: eventId,
  success: { status: 200, description: 'It is on its way', body: z.object({ message: z.string() }) },
  refusals: [...adminRefusals, 'not-found', 'not-replayable'],
});
