import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { userIdInPath } from '../fields.js';
import { WEBHOOK_BODY_LIMIT } from '../payment.js';
import {
  listProducts,
  listWebhookEvents,
  receiveWebhook,
  replayWebhookEvent,
  showCheckout,
  showWebhookEvent,
  startCheckout,
} from '../public/payments.js';

const service = { tag: 'payment', access: 'service' } as const;
const { rawBody: _, ...webhook } = receiveWebhook;
/** Base64 of the largest body, and room for the JSON around it. */
const ENCODED_LIMIT = Math.ceil(WEBHOOK_BODY_LIMIT / 3) * 4;

/** What payment offers to the gateway and to its neighbours. */
export const paymentApi = {
  listProducts: defineEndpoint({ ...listProducts, ...service }),
  startCheckout: defineEndpoint({ ...startCheckout, ...service }),
  showCheckout: defineEndpoint({ ...showCheckout, ...service }),
  receiveWebhook: defineEndpoint({
    ...webhook,
    ...service,
    description: 'The bytes travel as base64, so that both transports carry them unchanged.',
    bodyLimit: ENCODED_LIMIT + 4096,
    body: z.strictObject({
      payload_base64: z.base64().max(ENCODED_LIMIT),
      /** The provider's signature header; null when it was missing. */
      signature: z.string().max(4000).nullable(),
    }),
  }),
  listWebhookEvents: defineEndpoint({ ...listWebhookEvents, ...service }),
  showWebhookEvent: defineEndpoint({ ...showWebhookEvent, ...service }),
  replayWebhookEvent: defineEndpoint({ ...replayWebhookEvent, ...service }),
  billingState: defineEndpoint({
    ...service,
    method: 'GET',
    path: '/billing/:user_id',
    summary: 'May this user be deleted?',
    description:
      '`open: true` only under `BILLING_ON_DELETE=refuse` and while the user has a subscription that has not ended.',
    params: z.strictObject({ user_id: userIdInPath }),
    success: { status: 200, description: 'Open or not', body: z.object({ open: z.boolean() }) },
    refusals: ['provider-failed', 'provider-unavailable', 'service-unavailable'],
  }),
};
