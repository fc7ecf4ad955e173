import type { paymentApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { WebhookEventDocument } from '../models/webhook-event.js';
import { presentWebhookEvent } from './present-webhook-event.js';

export function showWebhookEvent({
  models,
}: Pick<PaymentDependencies, 'models'>): Handler<typeof paymentApi.showWebhookEvent> {
  return async ({ params }) => {
    const event = await guardDatabase(() =>
      models.webhookEvents.findOne({ _id: params.id }).lean<WebhookEventDocument>(),
    );
    if (event === null) throw new Problem('not-found', { detail: 'There is no such event' });
    return { webhook_event: presentWebhookEvent(event) };
  };
}
