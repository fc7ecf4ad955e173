import { bindings } from '@latchkey/contracts';
import type { Clock, Logger } from '@latchkey/kit';
import { type MessageQueue, openAmqpQueue } from '@latchkey/messaging';
import { connectMongo } from '@latchkey/persistence';
import type { Connection } from 'mongoose';
import type { ProcessConfig } from './process-config.js';

/** What a service stands on. Tests give the embedded ones. */
export interface Engines {
  /** Resolves once connected to the service's own database, however long that takes; gives up when aborted. */
  connect(signal: AbortSignal): Promise<Connection>;
  /** Not started yet. */
  readonly queue: MessageQueue;
}

/** The service's own database on a server that all share: `latchkey_auth`, or with the name that the URI's path gives in the place of `latchkey`. */
export function databaseName(uri: string, service: string): string {
  const path = /^[^/]+:\/\/[^/]*\/([^?]+)/.exec(uri)?.[1];
  return `${path ?? 'latchkey'}_${service}`;
}

/** MongoDB and RabbitMQ as the settings name them. In production a MongoDB that is no replica set is refused (P32); elsewhere it is warned about. */
export function openEngines(o: {
  config: Pick<ProcessConfig, 'mongodbUri' | 'buildIndexes' | 'amqpUrl' | 'production'>;
  /** The process's; shown among the broker's connections. */
  name: string;
  database: string;
  clock: Clock;
  logger: Logger;
}): Engines {
  const { config, clock, logger } = o;
  const uri = config.mongodbUri;
  // In production the settings have refused it.
  if (['', 'guest'].includes(new URL(config.amqpUrl).username))
    logger.warn("RabbitMQ is used by its sample account guest: production needs one of Latchkey's own");
  return {
    connect: (signal) =>
      connectMongo({
        uri,
        dbName: databaseName(uri, o.database),
        logger,
        requireReplicaSet: config.production,
        buildIndexes: config.buildIndexes,
        signal,
      }),
    queue: openAmqpQueue({ url: config.amqpUrl, bindings: Object.values(bindings), clock, logger, name: o.name }),
  };
}
