import { randomUUID } from 'node:crypto';
import type { authApi, mailerApi, userApi } from '@latchkey/contracts';
import { type ClientOf, type Handler, Problem } from '@latchkey/kit';
import type { MailDocument, MailModel } from '../models/mail.js';
import type { MailData } from '../templates/template.js';
import type { EnqueueMail } from './enqueue-mail.js';

export interface ReplayMailDeps {
  readonly mails: MailModel;
  readonly auth: Pick<ClientOf<typeof authApi>, 'inviteUser' | 'reissueLink'>;
  readonly users: Pick<ClientOf<typeof userApi>, 'reissueEmailConfirmation'>;
  readonly enqueue: EnqueueMail;
}

/**
 * Sends a mail again. The secret of a mail with a link is gone, so its owner is asked for a fresh link, which arrives as an event of its own; any other mail is
 * written down once more under a new id. A mail that is still on its way is refused.
 */
export function replayMail(deps: ReplayMailDeps): Handler<typeof mailerApi.replayMail> {
  return async ({ params: { id } }, context) => {
    const mail = await deps.mails.findById(id).lean<MailDocument>();
    if (!mail) throw new Problem('not-found');
    if (mail.state === 'queued' || mail.state === 'sending') {
      throw new Problem('not-replayable', { detail: 'The mail is still on its way' });
    }
    const user = { params: { user_id: String(mail.userId) } };
    switch (mail.template) {
      case 'password-reset':
        return deps.auth.reissueLink(user, context);
      case 'invitation':
        return deps.auth.inviteUser(user, context);
      case 'email-confirmation':
        return deps.users.reissueEmailConfirmation(user, context);
      case 'password-changed':
      case 'email-changed':
      case 'receipt':
      case 'payment-failed':
        await deps.enqueue({
          id: randomUUID(),
          template: mail.template,
          to: mail.to,
          userId: mail.userId,
          // A document's template and data belong together; the union's type cannot say so.
          data: mail.data as MailData[typeof mail.template],
          languages: mail.language,
          requestId: context.requestId,
          replayOf: mail._id,
        });
        return { message: 'The mail is on its way again' };
    }
  };
}
