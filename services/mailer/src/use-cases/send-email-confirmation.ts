import type { emailChangeRequested, Message, PayloadOf } from '@latchkey/contracts';
import type { EnqueueMail } from './enqueue-mail.js';

/** A user wants another email: mail the confirming link to the new address. */
export function sendEmailConfirmation(enqueue: EnqueueMail) {
  return ({ id, correlationId, occurredAt, notAfter, payload }: Message<PayloadOf<typeof emailChangeRequested>>) =>
    enqueue({
      id,
      template: 'email-confirmation',
      to: payload.to,
      userId: payload.userId,
      data: { name: payload.name, requestedAt: occurredAt, expiresAt: payload.expiresAt },
      secrets: { token: payload.sealedToken },
      languages: payload.languages,
      notAfter: notAfter ?? payload.expiresAt,
      requestId: correlationId,
    });
}
