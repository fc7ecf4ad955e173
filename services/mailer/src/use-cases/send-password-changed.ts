import type { Message, PayloadOf, passwordChanged } from '@latchkey/contracts';
import type { EnqueueMail } from './enqueue-mail.js';

/** A password was changed: tell its user, who may answer that it was somebody else (S60). */
export function sendPasswordChanged(enqueue: EnqueueMail) {
  return ({ id, correlationId, notAfter, payload }: Message<PayloadOf<typeof passwordChanged>>) =>
    enqueue({
      id,
      template: 'password-changed',
      to: payload.to,
      userId: payload.userId,
      data: { name: payload.name, changedAt: payload.changedAt, changedFrom: payload.changedFrom },
      ...(payload.sealedDisownToken !== undefined && { secrets: { disownToken: payload.sealedDisownToken } }),
      languages: payload.languages,
      notAfter,
      requestId: correlationId,
    });
}
