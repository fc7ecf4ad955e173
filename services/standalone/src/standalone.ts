import { createAuth, createPasswordHasher } from '@latchkey/auth';
import { authApi, deadLetterApi, mailerApi, userApi } from '@latchkey/contracts';
import { createGateway } from '@latchkey/gateway';
import {
  type Clock,
  type Component,
  ConfigError,
  createClient,
  createHealthProbe,
  createLifecycle,
  createLogger,
  createMetrics,
  createServiceServer,
  directTransport,
  type Environment,
  type Lifecycle,
  type Logger,
  type Metrics,
  Problem,
  type Service,
  systemClock,
} from '@latchkey/kit';
import { createMailer, createSmtpTransport } from '@latchkey/mailer';
import { createMailbox } from '@latchkey/sandbox';
import { createUser } from '@latchkey/user';
import type { DestinationStream } from 'pino';
import { type Addresses, announcement } from './announcement.js';
import { loadStandaloneConfig } from './config.js';
import { crashPointFrom } from './crash-point.js';
import { deferredTransport } from './deferred-transport.js';
import { openEngines } from './engines.js';
import { chooseFirstAdmin, type FirstAdmin, forgetFirstAdmin } from './first-admin.js';

export interface StandaloneOptions {
  readonly clock?: Clock;
  readonly logDestination?: DestinationStream;
  /** Arguments to Node for the hashing process (tests run it from TypeScript). */
  readonly hasherArguments?: readonly string[];
  /** Told where to go once everything runs. */
  readonly announce?: (text: string) => void;
}

export interface Standalone extends Pick<Lifecycle, 'start' | 'stop'> {
  readonly logger: Logger;
  /** After the start. */
  addresses(): Addresses;
}

/**
 * Every service in one process, on embedded parts where no real engine is named. Calls from service to service are function calls; each service still shows its
 * own routes, health and metrics on a loopback port. Throws `ConfigError` with all faults.
 */
export async function createStandalone(environment: Environment, options: StandaloneOptions = {}): Promise<Standalone> {
  const config = loadStandaloneConfig(environment);
  const { host } = config;
  const clock = options.clock ?? systemClock;
  const loggerFor = (service: string) =>
    createLogger({
      service,
      level: host.logLevel,
      ...(options.logDestination && { destination: options.logDestination }),
    });
  const logger = loggerFor('standalone');
  const lifecycle = createLifecycle({ logger });
  const engines = await openEngines({ config: host, clock, logger });
  lifecycle.add(engines.component);

  const client = <Api extends Parameters<typeof createClient>[0]>(api: Api, service: () => Service) =>
    createClient(api, directTransport({ routes: () => service().routes, clock }));
  const clients = {
    auth: client(authApi, () => auth),
    users: client(userApi, () => user),
    mailer: client(mailerApi, () => mailer),
  };

  const mailbox = host.smtpUrl
    ? undefined
    : createMailbox({ dataDir: host.dataDir, logger: loggerFor('mailbox'), clock });
  if (mailbox) lifecycle.add(mailbox);
  const hasher = createPasswordHasher({
    cost: host.bcryptCost,
    logger: loggerFor('hasher'),
    ...(options.hasherArguments && { execArgv: options.hasherArguments }),
  });
  lifecycle.add(hasher);

  const crashPoint = crashPointFrom(environment);
  const metrics = new Map<string, Metrics>();
  const metricsOf = (service: string) => {
    const own = metrics.get(service) ?? createMetrics(service);
    metrics.set(service, own);
    return own;
  };
  const common = async (service: string) => ({
    metrics: metricsOf(service),
    logger: loggerFor(service),
    clock,
    queue: engines.queue,
    connection: await engines.database(service),
    ...(crashPoint && { crashPoint }),
  });
  const user = createUser({ ...(await common('user')), config: config.user, auth: clients.auth });
  const auth: Service = createAuth({ ...(await common('auth')), config: config.auth, users: clients.users, hasher });
  const mailer: Service = createMailer({
    ...(await common('mailer')),
    config: config.mailer,
    auth: clients.auth,
    users: clients.users,
    transport: deferredTransport(() =>
      createSmtpTransport({ url: host.smtpUrl ?? `smtp://127.0.0.1:${mailbox?.smtpPort}`, clock }),
    ),
  });

  const serve = (service: Service, port: number, routers: { path: string; router: import('express').Router }[] = []) =>
    createServiceServer({
      service,
      metrics: metricsOf(service.name),
      logger: loggerFor(service.name),
      clock,
      host: '127.0.0.1',
      port,
      serviceSecrets: host.serviceSecrets,
      bodyLimit: host.bodyLimit,
      routers,
    });
  const servers = {
    auth: serve(auth, host.authPort),
    user: serve(user, host.userPort),
    mailer: serve(mailer, host.mailerPort, mailbox ? [{ path: '/mailbox', router: mailbox.router }] : []),
  };
  // Auth and user call each other: both are up before either is asked.
  for (const service of [auth, user, mailer]) lifecycle.add(service);
  for (const server of Object.values(servers)) lifecycle.add(server);

  const services = { auth, user, mailer };
  const gateway = createGateway({
    config: config.gateway,
    logger: loggerFor('gateway'),
    clock,
    ...clients,
    deadLetters: Object.fromEntries(
      Object.entries(services).map(([name, service]) => [name, client(deadLetterApi, () => service)]),
    ),
    health: Object.fromEntries(
      Object.entries(services).map(([name, service]) => [name, createHealthProbe(service.checks)]),
    ),
  });

  const admin = chooseFirstAdmin({ email: host.adminEmail, password: host.adminPassword }, host.dataDir);
  lifecycle.add(firstAdminComponent(admin));
  lifecycle.add(gateway);

  let created = false;
  function firstAdminComponent({ email, password, made }: FirstAdmin): Component {
    return {
      name: 'first admin',
      async start() {
        try {
          created = (await user.ensureFirstAdmin({ email, password, onlyIfNone: made })) === 'created';
        } catch (error) {
          throw error instanceof Problem && error.code === 'validation-failed' ? refusedAdmin(error) : error;
        }
      },
      stop: async () => undefined,
    };
  }

  const addresses = (): Addresses => ({
    url: gateway.address(),
    publicUrl: config.gateway.publicUrl,
    mailboxUrl: mailbox && `http://127.0.0.1:${servers.mailer.port}/mailbox`,
  });
  return {
    logger,
    addresses,
    async start() {
      await lifecycle.start();
      options.announce?.(announcement(addresses(), created ? admin : undefined, engines.description));
      if (admin.made) forgetFirstAdmin(host.dataDir);
    },
    stop: () => lifecycle.stop(),
  };
}

/** The operator's own setting was refused: said as every other fault of the configuration. */
function refusedAdmin(problem: Problem): ConfigError {
  return new ConfigError(
    (problem.errors ?? []).map(({ path, message }) => ({
      setting: path === 'body.email' ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD',
      message,
    })),
  );
}
