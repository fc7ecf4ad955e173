import type { mailerApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import { presentMail } from '../domain/present-mail.js';
import type { MailDocument, MailModel } from '../models/mail.js';

/** One entry of the delivery log. */
export function showMail({ mails }: { mails: MailModel }): Handler<typeof mailerApi.showMail> {
  return async ({ params: { id } }) => {
    const mail = await mails.findById(id).lean<MailDocument>();
    if (!mail) throw new Problem('not-found');
    return { mail: presentMail(mail) };
  };
}
