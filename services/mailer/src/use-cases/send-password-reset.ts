import type { Message, PayloadOf, passwordResetRequested } from '@latchkey/contracts';
import type { EnqueueMail } from './enqueue-mail.js';

/** A reset was asked for: mail its link, worth sending for as long as the link works. */
export function sendPasswordReset(enqueue: EnqueueMail) {
  return ({ id, correlationId, notAfter, payload }: Message<PayloadOf<typeof passwordResetRequested>>) =>
    enqueue({
      id,
      template: 'password-reset',
      to: payload.to,
      userId: payload.userId,
      data: {
        name: payload.name,
        requestedAt: payload.requestedAt,
        requestedFrom: payload.requestedFrom,
        expiresAt: payload.expiresAt,
      },
      secrets: {
        token: payload.sealedToken,
        ...(payload.sealedDisownToken !== null && { disownToken: payload.sealedDisownToken }),
      },
      languages: payload.languages,
      notAfter: notAfter ?? payload.expiresAt,
      tokenHash: payload.tokenHash,
      requestId: correlationId,
    });
}
