import type { HealthCheck } from '@latchkey/contracts';
import { type Clock, inSpan, type Span } from '@latchkey/kit';
import { classifyFailure, presentable, type SmtpFailure } from './domain/smtp-outcome.js';
import { followAbort } from './follow-abort.js';
import type { Delivery, MailTransport, OutgoingMail } from './mail-transport.js';

/** Loaded when the first transport is made, which is not before the first mail where the built-in mailbox takes them. */
const nodemailer = () => require('nodemailer') as typeof import('nodemailer');

/** Milliseconds. `overall` bounds a whole dialogue, which a server that trickles its replies would otherwise stretch for ever (F18). */
export interface SmtpLimits {
  readonly connection: number;
  readonly greeting: number;
  readonly socket: number;
  readonly dns: number;
  readonly overall: number;
}

const usualLimits: SmtpLimits = { connection: 10_000, greeting: 10_000, socket: 30_000, dns: 5_000, overall: 60_000 };

/** How old the knowledge of the server may be before a health check has it refreshed, in the background. */
const knowledgeAge = { ok: 60_000, degraded: 10_000 } as const;

export interface SmtpTransportOptions {
  /** `smtp://…` (STARTTLS when offered) or `smtps://…`, with user and password as the server wants them. */
  readonly url: string;
  readonly clock: Clock;
  /** Dialogues at once. */
  readonly connections?: number;
  readonly limits?: Partial<SmtpLimits>;
}

/** One pooled transporter for the life of the process (P23), which never queues a mail again by itself (P21): the mail's document holds its retries. */
export function createSmtpTransport(options: SmtpTransportOptions): MailTransport {
  const { clock } = options;
  const limits = { ...usualLimits, ...options.limits };
  const transporter = nodemailer().createTransport({
    url: options.url,
    pool: true,
    maxConnections: options.connections ?? 5,
    maxRequeues: 0,
    // Shorter than any server's patience, so that no mail is given to a connection that the server is about to drop (P22).
    idleTimeout: 15_000,
    connectionTimeout: limits.connection,
    greetingTimeout: limits.greeting,
    socketTimeout: limits.socket,
    dnsTimeout: limits.dns,
  });
  let known: { health: HealthCheck; at: number } | undefined;
  let verifying = false;

  function learn(health: HealthCheck): void {
    known = { health, at: clock.now() };
  }

  function noteDelivery(delivery: Delivery): Delivery {
    const answered =
      delivery.outcome === 'accepted' || (/^[45]\d\d$/.test(delivery.code ?? '') && !delivery.misconfigured);
    learn(
      answered
        ? { status: 'ok' }
        : { status: 'degraded', detail: `${delivery.code ?? ''} ${delivery.response}`.trim() },
    );
    return delivery;
  }

  async function verify(): Promise<void> {
    if (verifying) return;
    verifying = true;
    try {
      await transporter.verify();
      learn({ status: 'ok' });
    } catch (error) {
      const { code, response } = classifyFailure(error as SmtpFailure);
      learn({ status: 'degraded', detail: `${code ?? ''} ${response}`.trim() });
    } finally {
      verifying = false;
    }
  }

  const { hostname, port } = new URL(options.url);
  const server = { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }) };

  async function sendTraced(mail: OutgoingMail, signal: AbortSignal, span: Span): Promise<Delivery> {
    const delivery = await sendWithin(mail, signal);
    // Never the server's words: they repeat addresses.
    span.set({ 'smtp.response.code': delivery.code ?? '', 'latchkey.outcome': delivery.outcome });
    if (delivery.outcome !== 'accepted') span.fail(delivery.code ?? delivery.outcome);
    return delivery;
  }

  async function sendWithin(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery> {
    const { controller: over, letGo } = followAbort(signal);
    let late = false;
    // Not `AbortSignal.timeout`, by which a mail stays in memory until its deadline.
    const deadline = setTimeout(() => {
      late = true;
      over.abort();
    }, limits.overall);
    try {
      const info = await transporter.sendMail({ ...compose(mail), signal: over.signal });
      // Only LMTP servers and several recipients get here with a refusal; one that is in the list was not served (F21).
      const refusal = info.rejectedErrors?.[0];
      if (refusal) return noteDelivery(classifyFailure(refusal as SmtpFailure));
      return noteDelivery({
        outcome: 'accepted',
        code: info.response.slice(0, 3),
        response: presentable(info.response),
      });
    } catch (error) {
      if (late) {
        const response = `the server did not take the mail within ${limits.overall / 1000} s`;
        return noteDelivery({ outcome: 'temporary-failure', code: 'ETIMEDOUT', response });
      }
      const delivery = classifyFailure(error as SmtpFailure);
      return signal.aborted ? delivery : noteDelivery(delivery);
    } finally {
      clearTimeout(deadline);
      letGo();
    }
  }

  return {
    send: (mail, signal) =>
      inSpan(
        () => ({ name: 'SMTP send', kind: 'client', attributes: { 'network.protocol.name': 'smtp', ...server } }),
        (span) => sendTraced(mail, signal, span),
      ),

    async check() {
      const health = known?.health ?? { status: 'ok', detail: 'not used yet' };
      const age = known ? clock.now() - known.at : Number.POSITIVE_INFINITY;
      if (age > (health.status === 'ok' ? knowledgeAge.ok : knowledgeAge.degraded)) void verify();
      return health;
    },

    async close() {
      transporter.close();
    },
  };
}

function compose(mail: OutgoingMail) {
  return {
    messageId: mail.messageId,
    from: mail.from,
    // An object, never a string: nodemailer would read a string as a list of addresses (S61).
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: {
      // RFC 3834: nobody's holiday reply is wanted.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': mail.language,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
