import { randomUUID } from 'node:crypto';
import type { Clock, Component, Logger } from '@latchkey/kit';
import type { Change } from '@latchkey/persistence';
import { followAbort } from './follow-abort.js';
import { type MailLeases, renewalMilliseconds } from './mail-leases.js';
import type { MailDocument } from './models/mail.js';
import type { DeliverMail } from './use-cases/deliver-mail.js';

export interface SenderDeps {
  readonly leases: MailLeases;
  readonly deliver: DeliverMail;
  readonly record: (
    mail: MailDocument,
    owner: string,
    outcome: Change | 'requeue',
    signal: AbortSignal,
  ) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Mails under way at once; default 5, as many as the transport's connections. */
  readonly width?: number;
}

/** Sends what is due: woken by new mails, and by its own sweep each second for retries and for what a dead sender left. */
export interface Sender extends Component {
  wake(): void;
}

const sweepMilliseconds = 1_000;
/** Due mails that are read at once: after an outage thousands wait, and asking for each of them anew is slower than sending it. */
const pageSize = 100;
/** How long a stop lets dialogues finish before it cuts them off. */
const stopMilliseconds = 6_000;

export function createSender({ leases, deliver, record, clock, logger, width = 5 }: SenderDeps): Sender {
  const active = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const closing = new AbortController();
  /** What is left of the page read last, longest due first; forgotten at the next sweep, since others send too. */
  let page: string[] = [];
  let sweeping: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    if (timer === undefined || stopping.signal.aborted) return;
    again = true;
    sweeping ??= sweep().finally(() => {
      sweeping = null;
      if (again) wake();
    });
  }

  async function sweep(): Promise<void> {
    again = false;
    try {
      await fill();
    } catch (error) {
      // The next sweep tries again; a database that is away is the health check's to tell.
      logger.warn({ err: error }, 'the mails to be sent could not be read');
    }
  }

  /** Claims due mails until every slot is taken. A slow dialogue holds its own slot and nobody else's (F18, F20). */
  async function fill(): Promise<void> {
    for (let read = false; active.size < width && !stopping.signal.aborted; ) {
      if (page.length === 0) {
        // Once: what was found and cannot be claimed would be found again at once.
        if (read) return;
        page = await leases.findDue(new Date(clock.now()), pageSize);
        read = true;
      }
      const claims = await Promise.allSettled(page.splice(0, width - active.size).map(claim));
      const failed = claims.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    }
  }

  /** Another replica may be quicker. */
  async function claim(id: string): Promise<void> {
    if (active.has(id)) return;
    const owner = randomUUID();
    const mail = await leases.claim(id, owner, new Date(clock.now()));
    if (mail) occupySlot(mail, owner);
  }

  function occupySlot(mail: MailDocument, owner: string): void {
    const work = attempt(mail, owner)
      .catch((error: unknown) => logger.error({ err: error, mailId: mail._id }, 'sending a mail failed unexpectedly'))
      .finally(() => {
        active.delete(mail._id);
        wake();
      });
    active.set(mail._id, work);
  }

  async function attempt(mail: MailDocument, owner: string): Promise<void> {
    const { controller: over, letGo } = followAbort(closing.signal);
    const stopRenewing = keepLease(mail._id, owner, over);
    try {
      const outcome = await deliver(mail, over.signal);
      await record(mail, owner, outcome, closing.signal);
    } finally {
      stopRenewing();
      letGo();
    }
  }

  function keepLease(id: string, owner: string, lost: AbortController): () => void {
    let asking = false;
    const renewal = setInterval(async () => {
      if (asking) return;
      asking = true;
      try {
        if (!(await leases.renew(id, owner))) lost.abort();
      } catch (error) {
        logger.warn({ err: error, mailId: id }, 'the lease of a mail could not be renewed');
      } finally {
        asking = false;
      }
    }, renewalMilliseconds);
    return () => clearInterval(renewal);
  }

  return {
    name: 'mail sender',
    wake,
    async start() {
      timer = setInterval(() => {
        page = [];
        wake();
      }, sweepMilliseconds);
      wake();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await sweeping;
      const cutOff = setTimeout(() => closing.abort(), stopMilliseconds);
      await Promise.all(active.values());
      clearTimeout(cutOff);
    },
  };
}
