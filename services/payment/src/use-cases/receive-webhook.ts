import { type paymentApi, WEBHOOK_BODY_LIMIT } from '@latchkey/contracts';
import { type Handler, Problem, withinTime } from '@latchkey/kit';
import type { PaymentDependencies } from '../dependencies.js';
import { MalformedEventError, SignatureError } from '../payment-provider.js';
import type { StoreEvent } from './store-event.js';

/** The provider repeats what is not answered with success, so that a quick failure is better than a slow one (F29). */
const STORE_WITHIN_MS = 4_500;

/**
 * Takes in one event: checks the signature over the bytes as they came, stores it durably, and only then answers. Nothing else happens here, so that only a
 * failure to store is an error of ours; whatever a forger sends is a 400 (S73, F28).
 */
export function receiveWebhook(
  deps: Pick<PaymentDependencies, 'clock' | 'crashPoint' | 'logger' | 'provider'>,
  store: StoreEvent,
): Handler<typeof paymentApi.receiveWebhook> {
  return async ({ params, body }, context) => {
    if (params.provider !== deps.provider.name)
      throw new Problem('not-found', { detail: 'There is no such payment provider' });
    const payload = Buffer.from(body.payload_base64, 'base64');
    if (payload.length > WEBHOOK_BODY_LIMIT) throw new Problem('body-too-large');
    const event = verified(payload, body.signature, context.requestId);
    await deps.crashPoint('webhook.before-store');
    const outcome = await withinTime(
      STORE_WITHIN_MS,
      () => store(event, 'webhook', context.requestId),
      () => new Problem('service-unavailable', { detail: 'The event could not be stored in time', retryAfter: 5 }),
    );
    await deps.crashPoint('webhook.stored');
    deps.logger.info(
      { eventId: event.id, type: event.type, outcome, requestId: context.requestId },
      'webhook received',
    );
    return { received: true };
  };

  function verified(payload: Buffer, signature: string | null, requestId: string) {
    try {
      return deps.provider.verifyWebhook(payload, signature, deps.clock.now());
    } catch (error) {
      if (error instanceof SignatureError) {
        deps.logger.warn({ requestId, reason: error.message.split('\n')[0] }, 'webhook refused');
        throw new Problem('webhook-signature-invalid', { cause: error });
      }
      if (!(error instanceof MalformedEventError)) throw error;
      deps.logger.error({ requestId, reason: error.message }, 'a signed webhook holds no event');
      throw new Problem('validation-failed', {
        detail: error.message,
        errors: [{ path: 'body', message: 'is no event' }],
      });
    }
  }
}
