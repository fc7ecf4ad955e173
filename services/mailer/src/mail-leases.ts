import type { MailDocument, MailModel } from './models/mail.js';

/** How long a sender that went silent keeps its mail, and how often a living one says so. */
const leaseMilliseconds = 5_000;
export const renewalMilliseconds = 1_500;

/** Who sends which mail. Leases are counted by the database's clock, so that replicas with wrong clocks agree (O3, F23). */
export interface MailLeases {
  /** Mails to be sent by now (the application's clock), longest due first, and mails whose sender died. */
  findDue(now: Date, limit: number): Promise<string[]>;
  /** Takes a mail over; null when another sender was quicker. */
  claim(id: string, owner: string, now: Date): Promise<MailDocument | null>;
  /** False: the lease is lost, another sender has the mail. */
  renew(id: string, owner: string): Promise<boolean>;
}

const lapsed = { $expr: { $lt: ['$leasedAt', { $subtract: ['$$NOW', leaseMilliseconds] }] } };

export function createMailLeases(mails: MailModel): MailLeases {
  return {
    async findDue(now, limit) {
      const queued = mails.find({ state: 'queued', nextAttemptAt: { $lte: now } }, { _id: 1 });
      const orphaned = mails.find({ state: 'sending', ...lapsed }, { _id: 1 });
      const found = await Promise.all([
        orphaned.limit(limit).lean<{ _id: string }[]>(),
        queued.sort({ nextAttemptAt: 1 }).limit(limit).lean<{ _id: string }[]>(),
      ]);
      return found.flat().map(({ _id }) => _id);
    },

    async claim(id, owner, now) {
      const taken = {
        $set: { state: 'sending' as const, leaseOwner: owner },
        $currentDate: { leasedAt: true as const },
        $inc: { version: 1 },
      };
      const options = { returnDocument: 'after' as const };
      const queued = { _id: id, state: 'queued' as const, nextAttemptAt: { $lte: now } };
      const mail = await mails.findOneAndUpdate(queued, taken, options).lean<MailDocument>();
      return (
        mail ?? mails.findOneAndUpdate({ _id: id, state: 'sending', ...lapsed }, taken, options).lean<MailDocument>()
      );
    },

    async renew(id, owner) {
      const held = { _id: id, state: 'sending' as const, leaseOwner: owner };
      const { matchedCount } = await mails.updateOne(held, { $currentDate: { leasedAt: true } });
      return matchedCount === 1;
    },
  };
}
