import { z } from 'zod';
import { timestamp } from './fields.js';

/** queued → sending → sent | failed (the server refused it for good) | abandoned (its time ran out); a temporary refusal goes back to queued. */
export const mailState = z.enum(['queued', 'sending', 'sent', 'failed', 'abandoned']);
export type MailState = z.output<typeof mailState>;

export const mailTemplate = z.enum([
  'password-reset',
  'password-changed',
  'invitation',
  'email-confirmation',
  'email-changed',
  'receipt',
  'payment-failed',
]);
export type MailTemplate = z.output<typeof mailTemplate>;

/** One try to hand a mail to the SMTP server. `code`: its reply code or the network error's name. */
export const mailAttempt = z.object({
  at: timestamp,
  outcome: z.enum(['accepted', 'temporary-failure', 'permanent-failure']),
  code: z.string().nullable(),
  response: z.string(),
});

/** One entry of the delivery log. It never holds the mail's text or a token. */
export const mail = z.object({
  id: z.string(),
  template: mailTemplate,
  to: z.string(),
  /** null: a receipt of somebody who was not logged in. */
  user_id: z.int().nullable(),
  subject: z.string(),
  state: mailState,
  message_id: z.string(),
  attempts: z.array(mailAttempt),
  created_at: timestamp,
  next_attempt_at: timestamp.nullable(),
  sent_at: timestamp.nullable(),
  not_after: timestamp.nullable(),
  request_id: z.string(),
  replay_of: z.string().nullable(),
});
export type Mail = z.output<typeof mail>;
