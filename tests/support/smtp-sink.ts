import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface SunkMail {
  readonly to: string;
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  /** When its text was asked for, on the clock of `performance.now()`. */
  readonly at: number;
}

/** How the server answers a recipient's mail: an SMTP reply of its own (at RCPT, or after DATA), silence, or acceptance. */
export type Script = (recipient: string) => { code: number; at: 'rcpt' | 'data' } | 'silence' | 'accept';

/** A real SMTP server that keeps what it accepted, every copy, in the test's process, so that a killed sender cannot take the evidence along. */
export class SmtpSink {
  readonly accepted: SunkMail[] = [];
  /** Mails offered by recipient, accepted or not. */
  readonly offered = new Map<string, number>();
  script: Script = () => 'accept';
  /** Called when a mail is kept and the sender has not been told yet. */
  whenAccepted: (mail: SunkMail) => void = () => undefined;
  #server: SMTPServer | undefined;
  #port = 0;

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, callback) => {
        this.offered.set(address, (this.offered.get(address) ?? 0) + 1);
        const answer = this.script(address);
        if (answer === 'silence') return;
        if (answer !== 'accept' && answer.at === 'rcpt') callback(refusal(answer.code));
        else callback();
      },
      onData: (stream, session, callback) => {
        // Before the sender has sent the text, so surely before its death, should it die of anything later.
        const at = performance.now();
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          const answer = this.script(recipients[0] as string);
          if (answer === 'silence') return;
          if (answer !== 'accept') return callback(refusal(answer.code));
          const mail = await PostalMime.parse(Buffer.concat(chunks));
          const { messageId = '', subject = '', text = '' } = mail;
          for (const to of recipients) {
            const sunk = { to, messageId, subject, text, at };
            this.accepted.push(sunk);
            this.whenAccepted(sunk);
          }
          callback();
        });
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.server.address() as AddressInfo).port;
    this.#server = server;
  }

  to(address: string): SunkMail[] {
    return this.accepted.filter((mail) => mail.to.toLowerCase() === address.toLowerCase());
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

function refusal(code: number): Error {
  return Object.assign(new Error(`scripted ${code}`), { responseCode: code });
}
