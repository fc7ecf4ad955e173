import { type paymentApi, stripeEventReceived } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import { newEvent } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { WebhookEventDocument } from '../models/webhook-event.js';

/** Has an event applied once more. One that is on its way is refused: it will be applied anyway. */
export function replayWebhookEvent({
  aggregates,
  models,
}: Pick<PaymentDependencies, 'aggregates' | 'models'>): Handler<typeof paymentApi.replayWebhookEvent> {
  return async ({ params }, context) => {
    const replayed = await aggregates.change(
      models.webhookEvents,
      { _id: params.id },
      (event: WebhookEventDocument) => {
        if (event.state === 'received') throw new Problem('not-replayable', { detail: 'The event is on its way' });
        return {
          $set: { state: 'received', lastError: null },
          $unset: { appliedAt: 1, expiresAt: 1 },
          $inc: { replays: 1 },
          events: [newEvent(stripeEventReceived, { eventId: event._id, type: event.type })],
        };
      },
      context.requestId,
    );
    if (replayed === null) throw new Problem('not-found', { detail: 'There is no such event' });
    return { message: 'The event will be applied once more' };
  };
}
