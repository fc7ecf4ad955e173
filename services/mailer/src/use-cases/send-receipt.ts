import type { checkoutCompleted, Message, PayloadOf } from '@latchkey/contracts';
import { purchaseData } from '../templates/purchase-data.js';
import type { EnqueueMail } from './enqueue-mail.js';

/** A checkout was paid: mail its receipt. */
export function sendReceipt(enqueue: EnqueueMail) {
  return ({ id, correlationId, notAfter, payload }: Message<PayloadOf<typeof checkoutCompleted>>) =>
    enqueue({
      id,
      template: 'receipt',
      to: payload.to,
      userId: payload.userId,
      data: purchaseData(payload),
      languages: payload.languages,
      notAfter,
      requestId: correlationId,
    });
}
