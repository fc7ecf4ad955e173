import type { invitationRequested, Message, PayloadOf } from '@latchkey/contracts';
import type { EnqueueMail } from './enqueue-mail.js';

/** A user was made without a password: mail the link with which to choose one. */
export function sendInvitation(enqueue: EnqueueMail) {
  return ({ id, correlationId, occurredAt, notAfter, payload }: Message<PayloadOf<typeof invitationRequested>>) =>
    enqueue({
      id,
      template: 'invitation',
      to: payload.to,
      userId: payload.userId,
      data: { name: payload.name, requestedAt: occurredAt, expiresAt: payload.expiresAt },
      secrets: { token: payload.sealedToken },
      languages: payload.languages,
      notAfter: notAfter ?? payload.expiresAt,
      tokenHash: payload.tokenHash,
      requestId: correlationId,
    });
}
