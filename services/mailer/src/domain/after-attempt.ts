import { mailAbandoned } from '@latchkey/contracts';
import { type Change, type NewEvent, newEvent } from '@latchkey/persistence';
import type { Delivery } from '../mail-transport.js';
import type { MailDocument } from '../models/mail.js';
import { lastMoment, nextAttempt } from './retry-calendar.js';

type Ending = 'sent' | 'failed' | 'abandoned';
type EndedMail = Pick<MailDocument, '_id' | 'template' | 'userId' | 'tokenHash'>;

/** Tells auth that a mail will never arrive, so that it restores what the mail was to replace. A receipt of nobody's account concerns no other service. */
export function undelivered(mail: EndedMail, reason: string): NewEvent[] {
  const { _id: mailId, template, userId, tokenHash } = mail;
  return userId === null ? [] : [newEvent(mailAbandoned, { mailId, template, userId, tokenHash, reason })];
}

/** The one write that ends a mail: its state, the event that reports an undelivered one, and no sealed secret left (S48, O10). */
export function endMail(mail: EndedMail, state: Ending, now: Date, reason: string): Change {
  return {
    $set: { state, finishedAt: now, nextAttemptAt: null, ...(state === 'sent' && { sentAt: now }) },
    $unset: { secrets: 1, leaseOwner: 1, leasedAt: 1 },
    events: state === 'sent' ? [] : undelivered(mail, reason),
  };
}

/** What an attempt's outcome means for its mail: sent, failed for good (F20), tried again later, or given up (F19). */
export function afterAttempt(mail: MailDocument, delivery: Delivery, now: Date, random: () => number): Change {
  const { outcome, code, response } = delivery;
  const record = { $push: { attempts: { at: now, outcome, code, response } } };
  if (outcome === 'accepted') return { ...endMail(mail, 'sent', now, ''), ...record };
  const reason = [code, response].filter(Boolean).join(' ');
  if (outcome === 'permanent-failure') return { ...endMail(mail, 'failed', now, reason), ...record };
  const next = nextAttempt(mail.attempts.length + 1, now, lastMoment(mail), random);
  if (next === null) return { ...endMail(mail, 'abandoned', now, `gave up: ${reason}`), ...record };
  return { $set: { state: 'queued', nextAttemptAt: next }, $unset: { leaseOwner: 1, leasedAt: 1 }, ...record };
}
