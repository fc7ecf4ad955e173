import type { MailTemplate } from '@latchkey/contracts';
import { type Clock, currentTraceparent } from '@latchkey/kit';
import { type Aggregates, isDuplicateKey } from '@latchkey/persistence';
import type { MailComposer } from '../compose-mail.js';
import { undelivered } from '../domain/after-attempt.js';
import type { MailModel, MailSecrets } from '../models/mail.js';
import type { MailData } from '../templates/template.js';

/** A mail that somebody wants sent. `id`: of the event that asks for it. */
export interface MailOrder<T extends MailTemplate = MailTemplate> {
  readonly id: string;
  readonly template: T;
  readonly to: string;
  /** null: of nobody who has an account. */
  readonly userId: number | null;
  readonly data: MailData[T];
  readonly secrets?: MailSecrets;
  /** The requester's Accept-Language. */
  readonly languages: string | null;
  /** ISO 8601; past it the mail has lost its meaning. */
  readonly notAfter?: string | undefined;
  readonly tokenHash?: string;
  readonly requestId: string;
  readonly replayOf?: string;
}

export type EnqueueMail = <T extends MailTemplate>(order: MailOrder<T>) => Promise<void>;

export interface EnqueueMailDeps {
  readonly mails: MailModel;
  readonly aggregates: Aggregates;
  readonly clock: Clock;
  readonly composer: MailComposer;
  /** Domain of Message-IDs (RFC 5322 §3.6.4). */
  readonly messageIdDomain: string;
  readonly wakeSender: () => void;
}

/**
 * Writes a mail down and leaves it to the sender. A second order with the same id changes nothing (F31). One whose time is over already is written down
 * as abandoned, with the event that reports it and without its secrets (O11).
 */
export function enqueueMail(deps: EnqueueMailDeps): EnqueueMail {
  return async (order) => {
    const now = new Date(deps.clock.now());
    const notAfter = order.notAfter === undefined ? null : new Date(order.notAfter);
    const late = notAfter !== null && notAfter <= now;
    const traceparent = currentTraceparent();
    const language = deps.composer.language(order.languages);
    const document = {
      _id: order.id,
      template: order.template,
      to: order.to,
      userId: order.userId,
      data: order.data,
      subject: deps.composer.subject(order.template, order.data, language),
      language,
      attempts: [],
      notAfter,
      messageId: `<${order.id}@${deps.messageIdDomain}>`,
      requestId: order.requestId,
      ...(traceparent !== undefined && { traceparent }),
      replayOf: order.replayOf ?? null,
      tokenHash: order.tokenHash ?? null,
      createdAt: now,
      sentAt: null,
      ...(late
        ? { state: 'abandoned' as const, nextAttemptAt: null, finishedAt: now }
        : {
            state: 'queued' as const,
            nextAttemptAt: now,
            finishedAt: null,
            ...(order.secrets && { secrets: order.secrets }),
          }),
    };
    const events = late ? undelivered(document, 'its time was over when it arrived') : [];
    try {
      await deps.aggregates.insert(deps.mails, document, events, order.requestId);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    deps.wakeSender();
  };
}
