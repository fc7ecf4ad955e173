import { createPasswordHasher } from '@latchkey/auth';
import { createGateway, createMetricsServer } from '@latchkey/gateway';
import { crashPointFrom } from '@latchkey/hosting';
import {
  type Clock,
  createHealthProbe,
  createLifecycle,
  createLogger,
  createMetrics,
  createServiceServer,
  createTracing,
  type Environment,
  type Lifecycle,
  type Logger,
  type Service,
  systemClock,
} from '@latchkey/kit';
import type { DestinationStream } from 'pino';
import { type Addresses, announcement } from './announcement.js';
import { loadStandaloneConfig } from './config.js';
import { openEngines } from './engines.js';
import { chooseFirstAdmin, createFirstAdmin, forgetFirstAdmin } from './first-admin.js';
import { openOutsideWorld } from './outside-world.js';
import { composeServices } from './services.js';
import type { Mounted } from './stand-ins.js';

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
  const destination = options.logDestination && { destination: options.logDestination };
  const loggerFor = (service: string) => createLogger({ service, level: host.logLevel, ...destination });
  const logger = loggerFor('standalone');
  const lifecycle = createLifecycle({ logger });

  const outside = openOutsideWorld({ config, clock, loggerFor });
  const engines = await openEngines({ config: host, clock, logger });
  const hasher = createPasswordHasher({
    cost: host.bcryptCost,
    logger: loggerFor('hasher'),
    ...(options.hasherArguments && { execArgv: options.hasherArguments }),
  });
  const crashPoint = crashPointFrom(environment);
  const services = await composeServices({ config, clock, loggerFor, engines, hasher, outside, crashPoint });
  const messagingSystem = host.amqpUrl === undefined ? 'sqlite' : 'rabbitmq';
  lifecycle.add(createTracing({ config: host, service: 'standalone', messagingSystem, logger }));
  for (const part of [engines.component, ...outside.components, hasher, ...services.all]) lifecycle.add(part);

  const own: Record<string, { port: number; routers?: readonly Mounted[] }> = {
    auth: { port: host.authPort },
    user: { port: host.userPort },
    payment: { port: host.paymentPort, routers: outside.paymentRouters },
    'payment-processor': { port: host.processorPort },
    mailer: { port: host.mailerPort, routers: outside.mailerRouters },
  };
  const serve = (service: Service) =>
    createServiceServer({
      service,
      logger: loggerFor(service.name),
      clock,
      host: '127.0.0.1',
      serviceSecrets: host.serviceSecrets,
      bodyLimit: host.bodyLimit,
      ...(services.metrics[service.name] && { metrics: services.metrics[service.name] }),
      port: 0,
      ...own[service.name],
    });
  const servers = Object.fromEntries(services.all.map((service) => [service.name, serve(service)]));
  for (const server of Object.values(servers)) lifecycle.add(server);

  const gatewayMetrics = createMetrics('gateway');
  lifecycle.add(createMetricsServer({ metrics: gatewayMetrics, host: '127.0.0.1', port: host.gatewayMetricsPort }));
  const gateway = createGateway({
    metrics: gatewayMetrics,
    config: config.gateway,
    logger: loggerFor('gateway'),
    clock,
    ...services.clients,
    deadLetters: services.deadLetters,
    health: Object.fromEntries(services.all.map((service) => [service.name, createHealthProbe(service.checks)])),
  });
  const admin = chooseFirstAdmin({ email: host.adminEmail, password: host.adminPassword }, host.dataDir);
  const firstAdmin = createFirstAdmin(admin, services.user);
  lifecycle.add(firstAdmin);
  lifecycle.add(gateway);

  const addresses = (): Addresses => ({
    url: gateway.address(),
    publicUrl: config.gateway.publicUrl,
    pages: config.gateway.pages,
    mailboxUrl: outside.mailerRouters.length > 0 ? `http://127.0.0.1:${servers.mailer?.port}/mailbox` : undefined,
    simulatorUrl: outside.paymentRouters.length > 0 ? `http://127.0.0.1:${servers.payment?.port}/simulator` : undefined,
  });
  return {
    logger,
    addresses,
    async start() {
      await lifecycle.start();
      options.announce?.(announcement(addresses(), firstAdmin.created ? admin : undefined, engines.description));
      if (admin.made) forgetFirstAdmin(host.dataDir);
    },
    stop: () => lifecycle.stop(),
  };
}
