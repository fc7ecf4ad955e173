import type { WebhookEvent } from '@latchkey/contracts';
import type { WebhookEventDocument } from '../models/webhook-event.js';

export function presentWebhookEvent(event: WebhookEventDocument): WebhookEvent {
  return {
    id: event._id,
    provider: event.provider,
    type: event.type,
    object_id: event.objectId,
    state: event.state,
    source: event.source,
    attempts: event.attempts,
    last_error: event.lastError,
    replays: event.replays,
    created_at: event.createdAt.toISOString(),
    received_at: event.receivedAt.toISOString(),
    applied_at: event.appliedAt?.toISOString() ?? null,
    request_id: event.requestId,
  };
}
