import { z } from 'zod';
import { userId } from '../fields.js';
import { mailTemplate } from '../mail.js';
import { defineEvent } from './event.js';

/** A mail will never arrive. `tokenHash`: of the link it carried, null when it carried none. */
export const mailAbandoned = defineEvent(
  'mailer.mail-abandoned.v1',
  z.object({
    mailId: z.string(),
    template: mailTemplate,
    userId,
    tokenHash: z.string().nullable(),
    reason: z.string(),
  }),
);
