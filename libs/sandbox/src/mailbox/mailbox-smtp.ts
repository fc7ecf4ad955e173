import type { AddressInfo } from 'node:net';
import type { Logger } from '@latchkey/kit';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { withEnvelope } from './stored-mail.js';

export interface MailboxSmtp {
  readonly port: number;
  stop(): Promise<void>;
}

const maxMailBytes = 10 * 1024 * 1024;

/** An SMTP server on loopback, on a free port, without authentication. It answers 250 only after `store` has resolved. */
export async function listenForMails(options: {
  store: (raw: Uint8Array) => Promise<unknown>;
  logger: Logger;
}): Promise<MailboxSmtp> {
  const { store, logger } = options;
  const server = new SMTPServer({
    banner: 'mailbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: maxMailBytes,
    maxClients: 50,
    socketTimeout: 60_000,
    closeTimeout: 1_000,
    logger: false,
    onData(stream, session, callback) {
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom === false ? '' : mailFrom.address;
      readBounded(stream)
        .then(async (mail) => {
          for (const { address } of rcptTo) await store(withEnvelope(mail, from, address));
        })
        .then(
          () => callback(null, 'stored'),
          (error: Error & { responseCode?: number }) => {
            if (error.responseCode === undefined) logger.error({ err: error }, 'the mailbox could not store a mail');
            callback(error.responseCode === undefined ? reply(451, 'could not be stored, try again') : error);
          },
        );
    },
  });
  // A client that breaks off is its own affair.
  server.on('error', (error: Error) => logger.debug({ err: error }, 'mailbox connection'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** The whole mail; past the limit the rest is drained, so that the client reads the refusal. */
async function readBounded(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxMailBytes) chunks.push(chunk);
  }
  if (length > maxMailBytes || stream.sizeExceeded) throw reply(552, 'the mail is too large');
  return Buffer.concat(chunks);
}
