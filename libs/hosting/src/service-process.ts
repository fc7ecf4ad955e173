import type { Endpoint } from '@latchkey/contracts';
import {
  type ClientOf,
  type Clock,
  type Component,
  createClient,
  createLifecycle,
  createLogger,
  createMetrics,
  createServiceServer,
  createTracing,
  type DestinationStream,
  httpTransport,
  type Logger,
  type Metrics,
  type RunningProcess,
  type Service,
  systemClock,
} from '@latchkey/kit';
import type { MessageQueue } from '@latchkey/messaging';
import { requireIndexes } from '@latchkey/persistence';
import type { Connection } from 'mongoose';
import type { CrashPoint } from './crash-point.js';
import { type Engines, openEngines } from './engines.js';
import type { ProcessConfig } from './process-config.js';
import { queueInBackground } from './queue-in-background.js';

/** What a test puts in the place of the real thing. */
export interface ProcessOptions {
  readonly engines?: Engines;
  readonly clock?: Clock;
  readonly logDestination?: DestinationStream;
}

/** What a service is composed with before anything has started. */
export interface Host {
  readonly clock: Clock;
  loggerFor(component: string): Logger;
  /** A neighbour over HTTP, called with this service's token. */
  client<const Api extends Record<string, Endpoint>>(
    api: Api,
    neighbour: string,
    baseUrls: readonly string[],
  ): ClientOf<Api>;
}

/** What every service is made of, once its database is connected. */
export interface Parts {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly connection: Connection;
  readonly queue: MessageQueue;
  readonly crashPoint?: CrashPoint;
}

export interface Composition<S extends Service> {
  /** Started before the service is composed, stopped after it. */
  readonly before?: readonly Component[];
  service(parts: Parts): S;
  /** Started once the service runs. */
  after?(service: S): Component;
}

export interface ServiceProcess extends RunningProcess {
  /** Where its own routes are, once started. */
  readonly port: number;
}

/**
 * One service as a process of its own: its server, its database, the queue, its neighbours over HTTP. It is live from its first moment on and ready when
 * everything has started; until then it answers 503, and waits for a database that is away (F17). At the end it refuses, finishes, closes.
 */
export function createServiceProcess<S extends Service>(o: {
  readonly name: string;
  /** Whose database it is; default: the service's own. */
  readonly database?: string;
  readonly config: ProcessConfig;
  readonly options: ProcessOptions;
  readonly compose: (host: Host) => Composition<S>;
}): ServiceProcess {
  const { name, config, options } = o;
  const clock = options.clock ?? systemClock;
  const destination = options.logDestination && { destination: options.logDestination };
  const loggerFor = (service: string) => createLogger({ service, level: config.logLevel, ...destination });
  const logger = loggerFor(name);
  const metrics = createMetrics(name);
  const lifecycle = createLifecycle({ logger });
  const engines = options.engines ?? openEngines({ config, name, database: o.database ?? name, clock, logger });
  const queue = queueInBackground(engines.queue);
  const transports: Component[] = [];
  const {
    before = [],
    after,
    ...composition
  } = o.compose({
    clock,
    loggerFor,
    client(api, neighbour, baseUrls) {
      const secret = config.serviceSecrets[0] as string;
      const transport = httpTransport({ baseUrls, caller: name, audience: neighbour, secret, clock });
      transports.push(transport);
      return createClient(api, transport);
    },
  });

  const abort = new AbortController();
  let connection: Connection | undefined;
  let service: S | undefined;
  let serving = false;
  const server = createServiceServer({
    service: { name, current: () => (serving ? service : undefined) },
    started: () => lifecycle.started,
    logger,
    clock,
    metrics,
    host: config.host,
    port: config.port,
    serviceSecrets: config.serviceSecrets,
    bodyLimit: config.bodyLimit,
  });
  const nothing = async () => undefined;
  const parts: readonly Component[] = [
    createTracing({ config, service: name, messagingSystem: 'rabbitmq', logger }),
    // The first of the rest to start, so that it tells of the others; the first to stop as well, by the last of this list.
    server,
    {
      name: 'database',
      async start() {
        connection = await engines.connect(abort.signal);
      },
      async stop() {
        abort.abort();
        await connection?.close();
      },
    },
    { name: 'queue', start: () => queue.start(), stop: () => queue.stop() },
    ...transports,
    ...before,
    {
      name,
      async start() {
        service = composition.service({
          logger,
          clock,
          metrics,
          connection: connection as Connection,
          queue,
          ...(config.crashPoint && { crashPoint: config.crashPoint }),
        });
        if (!config.buildIndexes) await requireIndexes(connection as Connection);
        await service.start();
        serving = true;
      },
      stop: async () => service?.stop(),
    },
    ...(after ? [afterStart(() => after(service as S))] : []),
    { name: `end of ${server.name}`, start: nothing, stop: () => server.stop() },
  ];
  for (const part of parts) lifecycle.add(part);
  return {
    lifecycle,
    logger,
    get port() {
      return server.port;
    },
  };
}

/** A component made when its turn to start has come. */
function afterStart(make: () => Component): Component {
  let made: Component | undefined;
  return {
    name: 'after the start',
    async start() {
      made = make();
      await made.start();
    },
    stop: async () => made?.stop(),
  };
}
