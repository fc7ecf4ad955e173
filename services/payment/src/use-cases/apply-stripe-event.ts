import type { Message, PayloadOf, stripeEventReceived, WebhookEventState } from '@latchkey/contracts';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { actedOnAs } from '../domain/acted-on.js';
import type { EventHandlers } from '../event-handlers.js';
import { endedAt, type WebhookEventDocument } from '../models/webhook-event.js';
import { sparingAttempts } from '../provider-faults.js';

/** Applies a stored event once, by its table of handlers; what nobody acts on is marked ignored. Resolves when the effect and its mark are durable. */
export function applyStripeEvent(deps: PaymentDependencies, handlers: EventHandlers) {
  const { webhookEvents } = deps.models;

  async function mark(
    event: WebhookEventDocument,
    state: WebhookEventState,
    lastError: string | null,
    correlationId: string,
  ) {
    const now = deps.clock.now();
    const ended = state === 'applied' || state === 'ignored';
    await deps.aggregates.changeFrom(
      webhookEvents,
      event,
      (current) =>
        current.appliedAt !== undefined && !ended
          ? null
          : {
              $set: { state, lastError, ...(ended && endedAt(now, deps.config)) },
              $inc: { attempts: 1 },
            },
      correlationId,
    );
  }

  return (message: Message<PayloadOf<typeof stripeEventReceived>>): Promise<void> =>
    sparingAttempts(async () => {
      const { eventId } = message.payload;
      const event = await guardDatabase(() => webhookEvents.findOne({ _id: eventId }).lean<WebhookEventDocument>());
      // Applied already, or so long ago that it is gone: a copy of the message.
      if (event === null || event.state === 'applied' || event.state === 'ignored') return;
      // Most of these are marked at their intake; a replay or an API of another release may bring one here.
      const kind = actedOnAs(event.type);
      if (kind === undefined || event.objectId === null) return mark(event, 'ignored', null, message.correlationId);
      try {
        await handlers[kind](event.objectId, message.correlationId);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        await mark(event, 'failing', reason.slice(0, 500), message.correlationId).catch(() => undefined);
        throw error;
      }
      await mark(event, 'applied', null, message.correlationId);
    });
}
