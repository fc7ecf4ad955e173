import { createAuth, type PasswordHasher } from '@latchkey/auth';
import { authApi, deadLetterApi, mailerApi, paymentApi, userApi } from '@latchkey/contracts';
import type { CrashPoint } from '@latchkey/hosting';
import {
  type Clock,
  createClient,
  createMetrics,
  directTransport,
  type Logger,
  type Metrics,
  type Service,
} from '@latchkey/kit';
import { createMailer } from '@latchkey/mailer';
import { createPayment, createPaymentProcessor } from '@latchkey/payment';
import { createUser } from '@latchkey/user';
import type { StandaloneConfig } from './config.js';
import type { Engines } from './engines.js';
import type { OutsideWorld } from './outside-world.js';

export interface ComposeOptions {
  readonly config: StandaloneConfig;
  readonly clock: Clock;
  readonly loggerFor: (service: string) => Logger;
  readonly engines: Engines;
  readonly hasher: PasswordHasher;
  readonly outside: OutsideWorld;
  readonly crashPoint: CrashPoint | undefined;
}

export type Services = Awaited<ReturnType<typeof composeServices>>;

/** Every service on its own database, calling the others by function. `metrics` by the service's name. */
export async function composeServices(o: ComposeOptions) {
  const { config, clock, loggerFor, engines, outside } = o;
  const metrics: Record<string, Metrics> = {};
  const call = <Api extends Parameters<typeof createClient>[0]>(api: Api, service: () => Service) =>
    createClient(api, directTransport({ routes: () => service().routes, clock }));
  // Auth and user call each other, so each is known to the other by a function that is only asked later.
  const clients = {
    auth: call(authApi, () => auth),
    users: call(userApi, () => user),
    mailer: call(mailerApi, () => mailer),
    payments: call(paymentApi, () => payment),
  };
  const common = async (service: string, database = service) => {
    metrics[service] = createMetrics(service);
    return {
      metrics: metrics[service],
      logger: loggerFor(service),
      clock,
      queue: engines.queue,
      connection: await engines.database(database),
      ...(o.crashPoint && { crashPoint: o.crashPoint }),
    };
  };

  const user = createUser({
    ...(await common('user')),
    config: config.user,
    auth: clients.auth,
    billing: clients.payments,
  });
  const auth: Service = createAuth({
    ...(await common('auth')),
    config: config.auth,
    users: clients.users,
    hasher: o.hasher,
  });
  const forPayment = { config: config.payment, users: clients.users, provider: outside.paymentProvider };
  const payment: Service = createPayment({ ...(await common('payment')), ...forPayment });
  // The processor is a process of its own elsewhere; here it has a connection of its own to the same database.
  const processor: Service = createPaymentProcessor({
    ...(await common('payment-processor', 'payment')),
    ...forPayment,
  });
  const mailer: Service = createMailer({
    ...(await common('mailer')),
    config: config.mailer,
    auth: clients.auth,
    users: clients.users,
    transport: outside.mailTransport,
  });

  const deadLettersOf = (service: Service) => call(deadLetterApi, () => service);
  return {
    user,
    /** In the order they start. */
    all: [auth, user, payment, processor, mailer] as const,
    clients,
    metrics,
    /** By the name that a service's queues begin with. */
    deadLetters: {
      auth: deadLettersOf(auth),
      user: deadLettersOf(user),
      payment: deadLettersOf(processor),
      mailer: deadLettersOf(mailer),
    },
  };
}
