import { MongodbWire } from './mongodb-wire.js';
import { RabbitBroker } from './rabbitmq.js';

/** A RabbitMQ and a server of MongoDB's wire protocol for one test file. */
export interface RealEngines {
  readonly broker: RabbitBroker;
  readonly database: MongodbWire;
  /** Settings that name a virtual host and databases which nobody has used yet. */
  fresh(): Promise<{ MONGODB_URI: string; AMQP_URL: string }>;
  dispose(): Promise<void>;
}

export async function startRealEngines(): Promise<RealEngines> {
  const database = await MongodbWire.create();
  const [broker] = await Promise.all([RabbitBroker.start(), database.start()]);
  let used = 0;
  return {
    broker,
    database,
    async fresh() {
      used += 1;
      return { MONGODB_URI: `${database.uri}/test${used}`, AMQP_URL: (await broker.freshHost()).url };
    },
    async dispose() {
      await Promise.all([broker.dispose(), database.dispose()]);
    },
  };
}
