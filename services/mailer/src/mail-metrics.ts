import type { Metrics } from '@latchkey/kit';
import type { Delivery } from './mail-transport.js';
import type { MailModel } from './models/mail.js';

/** What an operator watches: how much waits to be sent, and how attempts end. */
export function mailMetrics(metrics: Metrics, mails: MailModel): { onAttempt: (delivery: Delivery) => void } {
  metrics.gauge('mails_pending', 'Mails that are queued or being sent', [], async (gauge) => {
    const [queued, sending] = await Promise.all([
      mails.countDocuments({ state: 'queued' }),
      mails.countDocuments({ state: 'sending' }),
    ]);
    gauge.set(queued + sending);
  });
  const attempts = metrics.counter('mail_attempts_total', 'Attempts to send a mail', ['outcome']);
  return { onAttempt: ({ outcome }) => attempts.inc({ outcome }) };
}
