import type { mailerApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import { listNewestFirst } from '@latchkey/persistence';
import { presentMail } from '../domain/present-mail.js';
import type { MailModel } from '../models/mail.js';

export interface ListMailsDeps {
  readonly mails: MailModel;
}

/** One page of the delivery log, newest first. */
export function listMails({ mails }: ListMailsDeps): Handler<typeof mailerApi.listMails> {
  return async ({ query }) => {
    const only = { requestId: query.request_id, state: query.state };
    const { page, next } = await listNewestFirst(mails, 'createdAt', query, { only });
    return { mails: page.map(presentMail), next };
  };
}
