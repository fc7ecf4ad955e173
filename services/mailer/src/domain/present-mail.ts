import type { Mail } from '@latchkey/contracts';
import type { MailDocument } from '../models/mail.js';

/** An entry of the delivery log as admins see it: neither the mail's text nor a secret, sealed or not. */
export function presentMail(mail: MailDocument): Mail {
  return {
    id: mail._id,
    template: mail.template,
    to: mail.to,
    user_id: mail.userId,
    subject: mail.subject,
    state: mail.state,
    message_id: mail.messageId,
    attempts: mail.attempts.map(({ at, outcome, code, response }) => ({
      at: at.toISOString(),
      outcome,
      code,
      response,
    })),
    created_at: mail.createdAt.toISOString(),
    next_attempt_at: mail.nextAttemptAt?.toISOString() ?? null,
    sent_at: mail.sentAt?.toISOString() ?? null,
    not_after: mail.notAfter?.toISOString() ?? null,
    request_id: mail.requestId,
    replay_of: mail.replayOf,
  };
}
