import { authApi, deadLetterApi, type Endpoint, mailerApi, paymentApi, userApi } from '@latchkey/contracts';
import {
  type Clock,
  createClient,
  createLifecycle,
  createLogger,
  createMetrics,
  createTracing,
  type DestinationStream,
  type Environment,
  httpTransport,
  loadConfig,
  loadTogether,
  type RunningProcess,
  remoteHealth,
  settings,
  systemClock,
  tracingSettings,
} from '@latchkey/kit';
import { loadGatewayConfig } from './config.js';
import { createGateway } from './gateway.js';
import { createMetricsServer } from './metrics-server.js';

export interface GatewayProcessOptions {
  readonly clock?: Clock;
  readonly logDestination?: DestinationStream;
}

export interface GatewayProcess extends RunningProcess {
  /** Where it listens, as a URL, once started. */
  address(): string;
}

const processSettings = {
  logLevel: settings.LOG_LEVEL,
  serviceSecrets: settings.SERVICE_SECRET,
  metricsPort: settings.GATEWAY_METRICS_PORT,
  ...tracingSettings,
  auth: settings.AUTH_URL,
  user: settings.USER_URL,
  payment: settings.PAYMENT_URL,
  'payment-processor': settings.PROCESSOR_URL,
  mailer: settings.MAILER_URL,
};

const services = ['auth', 'user', 'payment', 'payment-processor', 'mailer'] as const;
type ServiceName = (typeof services)[number];

export function loadGatewayProcessConfig(environment: Environment) {
  return loadTogether(
    { gateway: loadGatewayConfig, process: (given) => loadConfig(processSettings, given) },
    environment,
  );
}

/** The gateway as a process of its own: no database, no queue, every service over HTTP. Throws `ConfigError` with all faults. */
export function createGatewayProcess(environment: Environment, options: GatewayProcessOptions = {}): GatewayProcess {
  const { gateway: config, process } = loadGatewayProcessConfig(environment);
  const clock = options.clock ?? systemClock;
  const logger = createLogger({
    service: 'gateway',
    level: process.logLevel,
    ...(options.logDestination && { destination: options.logDestination }),
  });
  const lifecycle = createLifecycle({ logger });
  const metrics = createMetrics('gateway');
  const secret = process.serviceSecrets[0] as string;
  const transports = Object.fromEntries(
    services.map((audience) => [
      audience,
      httpTransport({ baseUrls: process[audience], caller: 'gateway', audience, secret, clock }),
    ]),
  ) as Record<ServiceName, ReturnType<typeof httpTransport>>;
  const call = <const Api extends Record<string, Endpoint>>(api: Api, service: ServiceName) =>
    createClient(api, transports[service]);

  const gateway = createGateway({
    config,
    logger,
    clock,
    metrics,
    auth: call(authApi, 'auth'),
    users: call(userApi, 'user'),
    mailer: call(mailerApi, 'mailer'),
    payments: call(paymentApi, 'payment'),
    // By the name that a service's queues begin with; payment's are consumed by its processor.
    deadLetters: {
      auth: call(deadLetterApi, 'auth'),
      user: call(deadLetterApi, 'user'),
      payment: call(deadLetterApi, 'payment-processor'),
      mailer: call(deadLetterApi, 'mailer'),
    },
    health: Object.fromEntries(services.map((name) => [name, remoteHealth({ baseUrls: process[name] })])),
  });
  lifecycle.add(createTracing({ config: process, service: 'gateway', messagingSystem: 'rabbitmq', logger }));
  for (const transport of Object.values(transports)) lifecycle.add(transport);
  lifecycle.add(createMetricsServer({ metrics, host: config.host, port: process.metricsPort }));
  lifecycle.add(gateway);
  return { lifecycle, logger, address: () => gateway.address() };
}
