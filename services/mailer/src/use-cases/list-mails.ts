import type { mailerApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import { decodeCursor, encodeCursor } from '../domain/page-cursor.js';
import { presentMail } from '../domain/present-mail.js';
import type { MailDocument, MailModel } from '../models/mail.js';

export interface ListMailsDeps {
  readonly mails: MailModel;
}

/** One page of the delivery log, newest first. */
export function listMails({ mails }: ListMailsDeps): Handler<typeof mailerApi.listMails> {
  return async ({ query: { limit, after } }) => {
    const found = await mails
      .find(after === undefined ? {} : olderThan(after))
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit + 1)
      .lean<MailDocument[]>();
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > limit && last ? encodeCursor({ createdAt: last.createdAt, id: last._id }) : null;
    return { mails: page.map(presentMail), next };
  };
}

/** The range serves the index; the rest parts mails of the same millisecond. */
function olderThan(cursor: string) {
  const { createdAt, id } = decodeCursor(cursor);
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }] };
}
