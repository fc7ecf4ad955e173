export { loadMailerConfig, type MailerConfig } from './config.js';
export type { Delivery, MailTransport, OutgoingMail } from './mail-transport.js';
export { createSmtpTransport, type SmtpTransportOptions } from './mail-transport.smtp.js';
export { createMailer, type MailerDeps } from './mailer.js';
export { createMailerProcess, loadMailerProcessConfig } from './mailer-process.js';
export { type MailModel, mailModel } from './models/mail.js';
export { probeSmtp } from './probe-smtp.js';
