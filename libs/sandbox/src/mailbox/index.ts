export { createMailbox, type Mailbox } from './create-mailbox.js';
export type { MailSummary, StoredMail } from './stored-mail.js';
