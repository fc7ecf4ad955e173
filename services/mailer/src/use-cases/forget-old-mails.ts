import type { Clock } from '@latchkey/kit';
import type { MailModel } from '../models/mail.js';

export interface ForgetOldMailsDeps {
  readonly mails: MailModel;
  readonly clock: Clock;
  readonly retentionDays: number;
}

/** Deletes what was finished long ago, so that the log stays bounded; never a mail whose event is still to be published (O6). */
export function forgetOldMails({ mails, clock, retentionDays }: ForgetOldMailsDeps) {
  return async (): Promise<void> => {
    const before = new Date(clock.now() - retentionDays * 24 * 3600 * 1000);
    await mails.deleteMany({ finishedAt: { $lte: before }, outboxPending: { $ne: true } });
  };
}
