import { defineEndpoint } from '../endpoint.js';
import { listMails, replayMail, showMail } from '../public/operations.js';

const service = { tag: 'mailer', access: 'service' } as const;

/** What the mailer offers. The gateway lets only admins through. */
export const mailerApi = {
  listMails: defineEndpoint({ ...listMails, ...service }),
  showMail: defineEndpoint({ ...showMail, ...service }),
  replayMail: defineEndpoint({ ...replayMail, ...service }),
};
