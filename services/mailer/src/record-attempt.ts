import type { Clock, Logger } from '@latchkey/kit';
import type { Aggregates, Change } from '@latchkey/persistence';
import type { MailDocument, MailModel } from './models/mail.js';

export interface RecordAttemptDeps {
  readonly mails: MailModel;
  readonly aggregates: Aggregates;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Pauses between tries to write an outcome down, in milliseconds; their sum bounds how long a database may be away. */
const pauses = [100, 300, 1000, ...Array.from({ length: 30 }, () => 2000)];

/**
 * Writes an attempt's outcome down, and keeps trying while the database is away: what the server has accepted would be sent twice otherwise (F5). Gives up when
 * `signal` says that nobody can wait, or after a minute: the lease lapses then, and the mail is sent again under the same Message-ID.
 */
export function recordAttempt({ mails, aggregates, clock, logger }: RecordAttemptDeps) {
  const requeue = (): Change => ({
    $set: { state: 'queued', nextAttemptAt: new Date(clock.now()) },
    $unset: { leaseOwner: 1, leasedAt: 1 },
  });

  function decide(current: MailDocument, owner: string, outcome: Change | 'requeue'): Change | null {
    if (current.state !== 'sending' && current.state !== 'queued') return null;
    const change = outcome === 'requeue' ? requeue() : outcome;
    // A mail that went out is sent, whoever has taken it over meanwhile; any other outcome is only the holder's to tell.
    return change.$set?.state === 'sent' || current.leaseOwner === owner ? change : null;
  }

  return async (mail: MailDocument, owner: string, outcome: Change | 'requeue', signal: AbortSignal): Promise<void> => {
    for (const pause of [...pauses, null]) {
      try {
        await aggregates.changeFrom(mails, mail, (current) => decide(current, owner, outcome), mail.requestId);
        return;
      } catch (error) {
        if (pause === null || signal.aborted) {
          logger.error({ err: error, mailId: mail._id }, 'the outcome of a mail could not be written down');
          return;
        }
        await abortablePause(pause, signal);
      }
    }
  };
}

function abortablePause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
