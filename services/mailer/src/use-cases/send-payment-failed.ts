import type { checkoutFailed, Message, PayloadOf } from '@latchkey/contracts';
import { purchaseData } from '../templates/purchase-data.js';
import type { EnqueueMail } from './enqueue-mail.js';

/** A payment was refused in the end: tell the buyer. */
export function sendPaymentFailed(enqueue: EnqueueMail) {
  return ({ id, correlationId, notAfter, payload }: Message<PayloadOf<typeof checkoutFailed>>) =>
    enqueue({
      id,
      template: 'payment-failed',
      to: payload.to,
      userId: payload.userId,
      data: purchaseData(payload),
      languages: payload.languages,
      notAfter,
      requestId: correlationId,
    });
}
