import { join } from 'node:path';
import type { Clock, Component, Logger } from '@latchkey/kit';
import type { Router } from 'express';
import { type MailFiles, openMailFiles } from './mail-files.js';
import { listenForMails, type MailboxSmtp } from './mailbox-smtp.js';
import { mailboxRouter } from './router.js';

/** A mail server that delivers to a web page: what stands in for SMTP until `SMTP_URL` is set. */
export interface Mailbox extends Component {
  /** Where it takes mails, on loopback; only after `start`. */
  readonly smtpPort: number;
  /** The page and its JSON, to be mounted anywhere. Answers only requests that were made to this very machine. */
  readonly router: Router;
}

/** Mails kept; the oldest go first. */
const keep = 1000;

/** Mails lie in `<dataDir>/mailbox`, one file each, and survive every restart. */
export function createMailbox(options: { dataDir: string; logger: Logger; clock: Clock }): Mailbox {
  const { logger, clock } = options;
  let files: MailFiles | undefined;
  let smtp: MailboxSmtp | undefined;

  return {
    name: 'mailbox',
    router: mailboxRouter(() => files),
    get smtpPort() {
      if (smtp === undefined) throw new Error('the mailbox has not been started');
      return smtp.port;
    },
    async start() {
      const opened = await openMailFiles({ directory: join(options.dataDir, 'mailbox'), clock, keep });
      files = opened;
      smtp = await listenForMails({ store: (raw) => opened.store(raw), logger });
    },
    async stop() {
      await smtp?.stop();
      smtp = undefined;
    },
  };
}
