import { setTimeout as pause } from 'node:timers/promises';
import type { userApi } from '@latchkey/contracts';
import type { ClientOf, Clock, Logger, Metrics, Service } from '@latchkey/kit';
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
import type { AuthConfig } from './config.js';
import { createDependencies } from './create-dependencies.js';
import { createModels, initModels } from './models/models.js';
import type { PasswordHasher } from './passwords/password-hasher.js';
import { authRoutes } from './routes.js';
import { authSubscriptions } from './subscriptions.js';
import { sweepCredentials } from './use-cases/sweep-credentials.js';

export interface AuthDeps {
  readonly config: AuthConfig;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Auth's own database; opened and closed by whoever composes. */
  readonly connection: Connection;
  /** Started before and stopped after auth by whoever composes, like the hasher. */
  readonly queue: MessageQueue;
  readonly users: ClientOf<typeof userApi>;
  readonly hasher: PasswordHasher;
  readonly metrics?: Metrics | undefined;
  /** Called by name between the steps of a reset and a change; fault tests stop there. */
  readonly crashPoint?: (name: string) => void | Promise<void>;
  /** How the least time of a reset's answer is waited for; real time unless given. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** Seconds between two looks for what ran out; logins and resets do not wait for it. */
const sweepEvery = 10;

/** Credentials, sessions, reset links and the limits of logins. */
export function createAuth(given: AuthDeps): Service {
  const { config, logger, clock, connection, queue, hasher, metrics } = given;
  const models = createModels(connection);
  const { aggregates, relay } = createOutbox({
    models: () => [models.credentials],
    publish: (message) => queue.publish(message),
    clock,
    logger,
    metrics,
  });
  const deps = createDependencies({
    config,
    logger,
    clock,
    users: given.users,
    hasher,
    models,
    aggregates,
    pause: given.pause ?? ((milliseconds) => pause(milliseconds)),
    crashPoint: given.crashPoint ?? (() => undefined),
  });
  const { retentionDays } = config;
  const deadLetters = createDeadLetters({ connection, service: 'auth', queue, clock, retentionDays });
  const subscriptions = authSubscriptions(deps);
  const parts = [
    relay,
    createSweep({
      name: 'credentials',
      every: sweepEvery,
      run: sweepCredentials(deps),
      lease: createLease({ connection, name: 'credentials' }),
      logger,
    }),
    createConsumer({ queue, subscriptions, deadLetters, clock, logger, isUnavailable, metrics }),
  ];

  return {
    name: 'auth',
    routes: guardRoutes([...authRoutes(deps), ...deadLetters.routes]),
    checks: [
      databaseCheck(connection),
      { name: 'queue', critical: false, run: () => queue.check() },
      // Sessions stand and end without it; only passwords wait until it is back.
      { name: 'password-hasher', critical: false, run: () => hasher.check() },
    ],
    async start() {
      // Without its indexes nothing may be read or written (P16).
      await Promise.all([initModels(models), deadLetters.init()]);
      for (const part of parts) await part.start();
    },
    async stop() {
      for (const part of [...parts].reverse()) await part.stop();
    },
  };
}
