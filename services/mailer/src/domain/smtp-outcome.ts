import type { Delivery } from '../mail-transport.js';

/** What nodemailer puts on the errors of its SMTP transport. */
export interface SmtpFailure {
  readonly message: string;
  readonly code?: string | undefined;
  /** The server's reply code, when there was a reply. */
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  /** The command that was answered: `CONN`, `EHLO`, `AUTH …`, `MAIL FROM`, `RCPT TO`, `DATA`, `API`. */
  readonly command?: string | undefined;
  readonly originalCode?: string | undefined;
}

/** Replies that speak of the session, whatever command they answer: bad sequence, authentication missing or refused (RFC 4954, RFC 5321). */
const sessionReplies = new Set([503, 530, 534, 535, 538]);

/**
 * Sorts a failed SMTP dialogue into temporary and permanent (F19–F21). Permanent is only what the server says of this mail: a 5xx to its recipient or
 * its content, or a 552 (too large) to MAIL FROM. A 5xx to the connection, EHLO, AUTH or the sender's address is a fault of our configuration that every mail
 * shares: it must be mended and shouted about, but no mail is lost to it.
 */
export function classifyFailure(failure: SmtpFailure): Delivery {
  const reply = failure.responseCode;
  const code = reply === undefined ? (failure.originalCode ?? failure.code ?? null) : String(reply);
  const response = presentable(failure.response ?? failure.message);
  if (isPermanent(failure)) return { outcome: 'permanent-failure', code, response, misconfigured: false };
  const misconfigured =
    (reply !== undefined && reply >= 500 && reply !== 503) || failure.code === 'EAUTH' || failure.code === 'ENOAUTH';
  return { outcome: 'temporary-failure', code, response, misconfigured };
}

function isPermanent({ responseCode, command, code }: SmtpFailure): boolean {
  if (responseCode === undefined) {
    // nodemailer itself refused the recipient or the size before anything was sent: no server will ever be asked
    return (code === 'EENVELOPE' && command === 'API') || (code === 'EMESSAGE' && command === 'MAIL FROM');
  }
  if (responseCode < 500 || responseCode > 599 || sessionReplies.has(responseCode)) return false;
  return command === 'RCPT TO' || command === 'DATA' || (command === 'MAIL FROM' && responseCode === 552);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const unprintable = /[\u0000-\u001f\u007f-\u009f]+/g;

/** A server's reply as the delivery log keeps it: one line, bounded, and no token, should the server quote the mail (S48). */
export function presentable(reply: string): string {
  return reply
    .replace(unprintable, ' ')
    .replace(/[0-9a-f]{32,}/gi, '[…]')
    .slice(0, 300)
    .trim();
}
