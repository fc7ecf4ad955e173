import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bindings } from '@latchkey/contracts';
import { openEmbeddedDatabase, openEmbeddedQueue } from '@latchkey/embedded';
import { databaseName, queueInBackground } from '@latchkey/hosting';
import type { Clock, Component, Logger } from '@latchkey/kit';
import { type MessageQueue, openAmqpQueue } from '@latchkey/messaging';
import { connectMongo, requireIndexes } from '@latchkey/persistence';
import type { Connection } from 'mongoose';
import type { StandaloneConfig } from './config.js';

/** The parts under the services, by the settings that name real ones or the embedded ones in their place. */
export interface Engines {
  readonly queue: MessageQueue;
  /** For people: which database and which queue. */
  readonly description: { readonly database: string; readonly queue: string };
  /** A database of the service's own. Closed by the component. */
  database(service: string): Promise<Connection>;
  /** Starts the queue, and closes everything at the end. */
  readonly component: Component;
}

export async function openEngines(o: {
  config: StandaloneConfig['host'];
  clock: Clock;
  logger: Logger;
}): Promise<Engines> {
  const { config, clock, logger } = o;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const opened: Connection[] = [];
  const common = { bindings: Object.values(bindings), clock, logger };
  const queue: MessageQueue =
    config.amqpUrl === undefined
      ? openEmbeddedQueue({ ...common, file: join(config.dataDir, 'queue.db') })
      : queueInBackground(openAmqpQueue({ ...common, url: config.amqpUrl, name: 'standalone' }));

  async function open(service: string): Promise<Connection> {
    const { mongodbUri: uri, production, buildIndexes } = config;
    if (uri)
      return connectMongo({
        uri,
        dbName: databaseName(uri, service),
        logger,
        requireReplicaSet: production,
        buildIndexes,
      });
    return openEmbeddedDatabase({ file: join(config.dataDir, `${service}.db`) });
  }

  return {
    queue,
    description: {
      database: config.mongodbUri ? 'MongoDB (MONGODB_URI)' : `SQLite files in ${config.dataDir}`,
      queue: config.amqpUrl ? 'RabbitMQ (AMQP_URL)' : `SQLite file in ${config.dataDir}`,
    },
    async database(service) {
      const connection = await open(service);
      opened.push(connection);
      return connection;
    },
    component: {
      name: 'engines',
      async start() {
        // Every service has its models by now.
        if (config.mongodbUri && !config.buildIndexes)
          for (const connection of opened) await requireIndexes(connection);
        await queue.start();
      },
      async stop() {
        await queue.stop();
        await Promise.all(opened.map((connection) => connection.close()));
      },
    },
  };
}
