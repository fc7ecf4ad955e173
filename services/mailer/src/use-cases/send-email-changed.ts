import type { emailChanged, Message, PayloadOf } from '@latchkey/contracts';
import type { EnqueueMail } from './enqueue-mail.js';

/** An email was changed: tell the old address (S70). */
export function sendEmailChanged(enqueue: EnqueueMail) {
  return ({ id, correlationId, occurredAt, notAfter, payload }: Message<PayloadOf<typeof emailChanged>>) =>
    enqueue({
      id,
      template: 'email-changed',
      to: payload.oldEmail,
      userId: payload.userId,
      data: { name: payload.name, changedAt: occurredAt },
      languages: payload.languages,
      notAfter,
      requestId: correlationId,
    });
}
