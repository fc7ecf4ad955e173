import { type Clock, inSpan, type Logger, type SpanStart } from '@latchkey/kit';
import type { Change } from '@latchkey/persistence';
import type { MailComposer } from '../compose-mail.js';
import { afterAttempt, endMail } from '../domain/after-attempt.js';
import { lastMoment } from '../domain/retry-calendar.js';
import type { Delivery, MailTransport, OutgoingMail } from '../mail-transport.js';
import type { MailDocument } from '../models/mail.js';

export interface DeliverMailDeps {
  readonly clock: Clock;
  readonly composer: MailComposer;
  readonly transport: MailTransport;
  readonly logger: Logger;
  readonly random: () => number;
  /** Told of every attempt. */
  readonly onAttempt?: (delivery: Delivery) => void;
}

/** `signal` ends the attempt early: the lease is lost, or the process stops. */
export type DeliverMail = (mail: MailDocument, signal: AbortSignal) => Promise<Change | 'requeue'>;

/** Makes one attempt at a claimed mail. Resolves with what to write about it; writes nothing itself. */
export function deliverMail(deps: DeliverMailDeps): DeliverMail {
  const { clock, logger, random } = deps;
  const now = () => new Date(clock.now());

  function attempted(mail: MailDocument, delivery: Delivery): Change {
    const change = afterAttempt(mail, delivery, now(), random);
    report(mail, delivery, String(change.$set?.state));
    deps.onAttempt?.(delivery);
    return change;
  }

  function report(mail: MailDocument, { outcome, code, response, misconfigured }: Delivery, state: string): void {
    const facts = {
      mailId: mail._id,
      template: mail.template,
      userId: mail.userId,
      requestId: mail.requestId,
      outcome,
      code,
      state,
    };
    if (outcome === 'accepted') logger.info(facts, 'mail sent');
    else if (misconfigured)
      logger.error({ ...facts, response }, 'the mail server refuses us: look at SMTP_URL and MAIL_FROM');
    else logger.warn({ ...facts, response }, 'mail not sent');
  }

  async function deliver(mail: MailDocument, signal: AbortSignal): Promise<Change | 'requeue'> {
    if (lastMoment(mail) < now()) {
      logger.warn(
        { mailId: mail._id, template: mail.template, requestId: mail.requestId },
        'mail abandoned: its time is over',
      );
      return endMail(mail, 'abandoned', now(), 'its time was over before it could be sent');
    }
    let outgoing: OutgoingMail;
    try {
      outgoing = deps.composer.compose(mail);
    } catch (error) {
      // Wrong or lost SEALING_KEY: no attempt will ever fare better, and the link's owner must hear of it.
      const response = `cannot be composed: ${error instanceof Error ? error.message : 'unknown error'}`;
      return attempted(mail, { outcome: 'permanent-failure', code: 'UNCOMPOSABLE', response });
    }
    const delivery = await deps.transport.send(outgoing, signal);
    if (delivery.outcome === 'temporary-failure' && signal.aborted) return 'requeue';
    return attempted(mail, delivery);
  }

  return (mail, signal) =>
    inSpan(
      () => mailSpan(mail),
      () => deliver(mail, signal),
    );
}

/** Continues the trace of the request that asked for the mail, however much later an attempt is made. */
function mailSpan({ traceparent, template, _id, messageId, attempts, requestId }: MailDocument): SpanStart {
  return {
    name: `deliver ${template}`,
    kind: 'internal',
    parent: traceparent,
    attributes: {
      'latchkey.mail.id': _id,
      'latchkey.mail.message_id': messageId,
      'latchkey.mail.attempt': attempts.length + 1,
      'latchkey.request_id': requestId,
    },
  };
}
