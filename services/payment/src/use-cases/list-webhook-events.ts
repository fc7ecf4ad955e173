import type { paymentApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import { guardDatabase, listNewestFirst } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { presentWebhookEvent } from './present-webhook-event.js';

/** One page of the provider's events, newest first. */
export function listWebhookEvents({
  models,
}: Pick<PaymentDependencies, 'models'>): Handler<typeof paymentApi.listWebhookEvents> {
  return async ({ query }) => {
    const only = { requestId: query.request_id, state: query.state };
    const { page, next } = await guardDatabase(() =>
      listNewestFirst(models.webhookEvents, 'receivedAt', query, { only }),
    );
    return { webhook_events: page.map(presentWebhookEvent), next };
  };
}
