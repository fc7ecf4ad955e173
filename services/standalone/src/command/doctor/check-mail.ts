import { probeSmtp } from '@latchkey/mailer';
import type { Examined } from './examined.js';
import { type Finding, failed, ok, warning } from './finding.js';

/** A real conversation with the mail server: greeting, EHLO, STARTTLS where offered, login where SMTP_URL has a user. No mail is sent. */
export async function checkMail({ smtpUrl }: Examined): Promise<Finding[]> {
  if (!smtpUrl)
    return [
      warning('mail', 'goes to the built-in mailbox, not to people', 'Set SMTP_URL when this is more than a trial.'),
    ];
  const { hostname, protocol, username } = new URL(smtpUrl);
  const refusal = await probeSmtp(smtpUrl);
  if (refusal !== undefined)
    return [
      failed(
        'mail',
        `${hostname}: ${refusal}`,
        'See that SMTP_URL has the right host, port (587 with smtp://, 465 with smtps://), user and password, percent-encoded.',
      ),
    ];
  return [
    ok(
      'mail',
      `${hostname} answers${username ? ' and lets us log in' : ''}${protocol === 'smtps:' ? ', over TLS' : ''}`,
    ),
  ];
}
