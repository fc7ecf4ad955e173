import { stripeEventReceived } from '@latchkey/contracts';
import { isDuplicateKey, newEvent } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { actedOnAs } from '../domain/acted-on.js';
import { endedAt, type WebhookEventDocument } from '../models/webhook-event.js';
import type { ProviderEvent } from '../payment-provider.js';

export type StoreEvent = (
  event: ProviderEvent,
  source: WebhookEventDocument['source'],
  requestId: string,
) => Promise<'stored' | 'known'>;

/**
 * Stores an event together with the message that has it applied, as one write (F4); one from which nothing follows is stored as ignored, and needs no message.
 * One that is there already is left as it is (F26).
 */
export function storeEvent(
  deps: Pick<PaymentDependencies, 'aggregates' | 'clock' | 'config' | 'models' | 'provider'>,
): StoreEvent {
  return async (event, source, requestId) => {
    const now = deps.clock.now();
    const follows = event.objectId !== null && actedOnAs(event.type) !== undefined;
    const document: Omit<WebhookEventDocument, 'version' | 'outbox'> = {
      _id: event.id,
      provider: deps.provider.name,
      type: event.type,
      objectId: event.objectId,
      state: follows ? 'received' : 'ignored',
      source,
      attempts: 0,
      lastError: null,
      replays: 0,
      createdAt: event.createdAt,
      receivedAt: new Date(now),
      requestId,
      ...(!follows && endedAt(now, deps.config)),
    };
    const told = follows ? [newEvent(stripeEventReceived, { eventId: event.id, type: event.type })] : [];
    try {
      await deps.aggregates.insert(deps.models.webhookEvents, document, told, requestId);
      return 'stored';
    } catch (error) {
      if (isDuplicateKey(error)) return 'known';
      throw error;
    }
  };
}
