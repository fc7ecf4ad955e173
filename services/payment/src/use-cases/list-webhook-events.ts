import type { paymentApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { WebhookEventDocument } from '../models/webhook-event.js';
import { presentWebhookEvent } from './present-webhook-event.js';

/** Newest first. The cursor names a time and an id, so that it stays good when its event is gone. */
export function listWebhookEvents({
  models,
}: Pick<PaymentDependencies, 'models'>): Handler<typeof paymentApi.listWebhookEvents> {
  return async ({ query }) => {
    const filter = query.after === undefined ? {} : olderThan(query.after);
    const found = await guardDatabase(() =>
      models.webhookEvents
        .find(filter)
        .sort({ receivedAt: -1, _id: -1 })
        .limit(query.limit + 1)
        .lean<WebhookEventDocument[]>(),
    );
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    const next = found.length > page.length && last ? `${last.receivedAt.getTime()}-${last._id}` : null;
    return { webhook_events: page.map(presentWebhookEvent), next };
  };
}

function olderThan(cursor: string): Record<string, unknown> {
  const [, time, id] = /^(\d{1,15})-(.+)$/s.exec(cursor) ?? [];
  if (time === undefined || id === undefined)
    throw new Problem('validation-failed', {
      errors: [{ path: 'query.after', message: 'is not a cursor of this list' }],
    });
  const receivedAt = new Date(Number(time));
  return { receivedAt: { $lte: receivedAt }, $or: [{ receivedAt: { $lt: receivedAt } }, { _id: { $lt: id } }] };
}
