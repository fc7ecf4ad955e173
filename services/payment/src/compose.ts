import type { userApi } from '@latchkey/contracts';
import type { ClientOf, Clock, Logger, Metrics } from '@latchkey/kit';
import type { MessageQueue } from '@latchkey/messaging';
import { createOutbox, type Relay } from '@latchkey/persistence';
import type { Connection } from 'mongoose';
import type { PaymentConfig } from './config.js';
import type { CrashPoint, PaymentDependencies } from './dependencies.js';
import { paymentModels } from './models/payment-models.js';
import type { PaymentProvider } from './payment-provider.js';

/** What the API and the processor are given alike. They work on one database, and may share the connection. */
export interface PaymentOptions {
  readonly config: PaymentConfig;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Payment's own database; opened and closed by whoever composes. */
  readonly connection: Connection;
  /** Started and stopped by whoever composes. */
  readonly queue: MessageQueue;
  readonly users: Pick<ClientOf<typeof userApi>, 'findUserById'>;
  readonly provider: PaymentProvider;
  readonly metrics?: Metrics | undefined;
  readonly crashPoint?: CrashPoint;
}

/** The parts that both entries have: models, their outbox, and what the use cases work with. */
export function composePayment(o: PaymentOptions): { deps: PaymentDependencies; relay: Relay } {
  const models = paymentModels(o.connection);
  const { aggregates, relay } = createOutbox({
    models: () => [models.checkouts, models.customers, models.webhookEvents],
    publish: (message) => o.queue.publish(message),
    clock: o.clock,
    logger: o.logger,
    metrics: o.metrics,
  });
  const { config, clock, logger, provider, users } = o;
  const crashPoint = o.crashPoint ?? (() => undefined);
  return { deps: { config, clock, logger, provider, users, models, aggregates, crashPoint }, relay };
}
