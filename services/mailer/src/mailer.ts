import type { authApi, userApi } from '@latchkey/contracts';
import { type ClientOf, type Clock, createSealer, type Logger, type Metrics, type Service } from '@latchkey/kit';
import { createConsumer, type MessageQueue } from '@latchkey/messaging';
import {
  createDeadLetters,
  createLease,
  createOutbox,
  createSweep,
  databaseCheck,
  guardRoutes,
  isUnavailable,
} from '@latchkey/persistence';
import type { Connection } from 'mongoose';
import { createMailComposer } from './compose-mail.js';
import { domainOf, type MailerConfig } from './config.js';
import { createMailLeases } from './mail-leases.js';
import { mailMetrics } from './mail-metrics.js';
import type { MailTransport } from './mail-transport.js';
import { mailModel } from './models/mail.js';
import { recordAttempt } from './record-attempt.js';
import { routes } from './routes.js';
import { createSender } from './sender.js';
import { subscriptions } from './subscriptions.js';
import { deliverMail } from './use-cases/deliver-mail.js';
import { enqueueMail } from './use-cases/enqueue-mail.js';
import { forgetOldMails } from './use-cases/forget-old-mails.js';

export interface MailerDeps {
  readonly config: MailerConfig;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly connection: Connection;
  /** Started and stopped by whoever gives it. */
  readonly queue: MessageQueue;
  readonly auth: ClientOf<typeof authApi>;
  readonly users: ClientOf<typeof userApi>;
  readonly transport: MailTransport;
  readonly metrics?: Metrics | undefined;
  readonly random?: () => number;
}

/** The mailer: turns events into mails, sends them, keeps the delivery log. */
export function createMailer(deps: MailerDeps): Service {
  const { config, logger, clock, connection, queue, auth, users, transport, random = Math.random } = deps;
  const mails = mailModel(connection);
  const { aggregates, relay } = createOutbox({
    models: () => [mails],
    publish: (m) => queue.publish(m),
    clock,
    logger,
    metrics: deps.metrics,
  });
  const composer = createMailComposer({ ...config, sealer: createSealer(config.sealingKeys) });

  const sender = createSender({
    leases: createMailLeases(mails),
    deliver: deliverMail({
      clock,
      composer,
      transport,
      logger,
      random,
      ...(deps.metrics && mailMetrics(deps.metrics, mails)),
    }),
    record: recordAttempt({ mails, aggregates, clock, logger }),
    clock,
    logger,
  });
  const messageIdDomain = domainOf(config.mailFrom);
  const enqueue = enqueueMail({ mails, aggregates, clock, composer, messageIdDomain, wakeSender: sender.wake });

  const { retentionDays } = config;
  const deadLetters = createDeadLetters({ connection, service: 'mailer', queue, clock, retentionDays });
  const consumer = createConsumer({
    queue,
    subscriptions: subscriptions(enqueue),
    deadLetters,
    clock,
    logger,
    isUnavailable,
    metrics: deps.metrics,
  });
  const retention = createSweep({
    name: 'mail retention',
    every: 3600,
    run: forgetOldMails({ mails, clock, retentionDays }),
    lease: createLease({ connection, name: 'mail retention' }),
    logger,
  });
  const parts = [relay, sender, retention, consumer];

  return {
    name: 'mailer',
    routes: guardRoutes([...routes({ mails, auth, users, enqueue }), ...deadLetters.routes]),
    checks: [
      databaseCheck(connection),
      { name: 'queue', critical: false, run: () => queue.check() },
      { name: 'smtp', critical: false, run: () => transport.check() },
    ],
    async start() {
      // Without its indexes nothing may be read or written (P16).
      await Promise.all([mails.init(), deadLetters.init()]);
      for (const part of parts) await part.start();
    },
    async stop() {
      for (const part of [...parts].reverse()) await part.stop();
      await transport.close();
    },
  };
}
