import type { authApi } from '@latchkey/contracts';
import {
  type ClientOf,
  type Clock,
  createSealer,
  type Logger,
  type Metrics,
  newRequestId,
  type Service,
} from '@latchkey/kit';
import { createConsumer, type MessageQueue } from '@latchkey/messaging';
import {
  createDeadLetters,
  createLease,
  createOutbox,
  createSweep,
  createWindows,
  databaseCheck,
  guardRoutes,
  isUnavailable,
} from '@latchkey/persistence';
import type { Connection } from 'mongoose';
import { type BillingClient, chooseBillingClient } from './billing-client.js';
import type { UserConfig } from './config.js';
import type { Dependencies } from './dependencies.js';
import { initModels, userModels } from './models/models.js';
import { userRoutes } from './routes.js';
import { userSubscriptions } from './subscriptions.js';
import { ensureFirstAdmin, type FirstAdminWish } from './use-cases/ensure-first-admin.js';
import { erasePersonalData } from './use-cases/erase-personal-data.js';
import { eraseStaleCreations } from './use-cases/erase-stale-creations.js';
import { fillSearchGrams } from './use-cases/fill-search-grams.js';
import { reconcileRoster } from './use-cases/reconcile-roster.js';
import { settleOldDebts } from './use-cases/settle-old-debts.js';

export interface UserServiceOptions {
  readonly config: UserConfig;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The user service's own database; opened and closed by whoever composes. */
  readonly connection: Connection;
  /** Started and stopped by whoever composes. */
  readonly queue: MessageQueue;
  readonly auth: ClientOf<typeof authApi>;
  /** Payment; needed when `config.billingOnDelete` is `refuse`, and asked only then. */
  readonly billing?: BillingClient | undefined;
  readonly metrics?: Metrics | undefined;
  readonly crashPoint?: (name: string) => void | Promise<void>;
}

export interface UserService extends Service {
  /** Call after `start`. See `use-cases/ensure-first-admin.ts`. */
  ensureFirstAdmin(admin: FirstAdminWish): Promise<'created' | 'exists'>;
}

/** The user service: owner of the user record. Throws `ConfigError` when open billing is to refuse deletions and no payment is given. */
export function createUser(o: UserServiceOptions): UserService {
  const { clock, logger, config, connection, queue, metrics } = o;
  const models = userModels(connection);
  const { aggregates, relay } = createOutbox({
    models: () => [models.users],
    publish: (message) => queue.publish(message),
    clock,
    logger,
    metrics,
  });
  const deps: Dependencies = {
    models,
    aggregates,
    windows: createWindows({ model: models.throttles, clock }),
    auth: o.auth,
    billing: chooseBillingClient(config.billingOnDelete, o.billing),
    clock,
    logger,
    sealer: createSealer(config.sealingKeys),
    access: config.access,
    rateLimitScale: config.rateLimitScale,
    crashPoint: o.crashPoint ?? (() => undefined),
  };
  const { retentionDays } = config;
  const deadLetters = createDeadLetters({ connection, service: 'user', queue, clock, retentionDays });
  const subscriptions = userSubscriptions(deps);
  const sweep = (name: string, every: number, run: (signal?: AbortSignal) => Promise<void>) =>
    createSweep({ name, every, run, lease: createLease({ connection, name }), logger });
  const parts = [
    relay,
    sweep('stale creations', 5, () => eraseStaleCreations(deps)),
    sweep('admin roster', 60, () => reconcileRoster(deps, newRequestId())),
    sweep('debts to auth', 10, () => settleOldDebts(deps)),
    sweep('personal data', 3600, () => erasePersonalData(deps, config.eraseAfterDays)),
    sweep('search grams', 60, (signal) => fillSearchGrams(deps, signal)),
    createConsumer({ queue, subscriptions, deadLetters, clock, logger, isUnavailable, metrics }),
  ];
  return {
    name: 'user',
    routes: guardRoutes([...userRoutes(deps), ...deadLetters.routes]),
    checks: [databaseCheck(connection), { name: 'queue', critical: false, run: () => queue.check() }],
    ensureFirstAdmin: ensureFirstAdmin(deps),
    async start() {
      await Promise.all([initModels(models), deadLetters.init()]);
      for (const part of parts) await part.start();
    },
    async stop() {
      for (const part of [...parts].reverse()) await part.stop();
    },
  };
}
