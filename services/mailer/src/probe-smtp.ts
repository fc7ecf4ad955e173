import { createTransport } from 'nodemailer';
import { classifyFailure, type SmtpFailure } from './domain/smtp-outcome.js';

const LIMIT = 10_000;

/** A conversation up to the point where a mail could be given (EHLO, STARTTLS where offered, login where the URL has a user). Gives the server's words when it does not get there. */
export async function probeSmtp(url: string): Promise<string | undefined> {
  const transporter = createTransport({
    url,
    connectionTimeout: LIMIT,
    greetingTimeout: LIMIT,
    socketTimeout: LIMIT,
    dnsTimeout: LIMIT,
  });
  try {
    await transporter.verify();
    return undefined;
  } catch (error) {
    const { code, response } = classifyFailure(error as SmtpFailure);
    return `${code ?? ''} ${response}`.trim();
  } finally {
    transporter.close();
  }
}
