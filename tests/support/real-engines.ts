import { randomBytes } from 'node:crypto';
import { MongodbWire } from './mongodb-wire.js';
import { RabbitBroker } from './rabbitmq.js';
import { type BrokerAddress, RabbitControl } from './rabbitmq-control.js';

/** Settings that name the engines. */
export interface EngineSettings extends Record<string, string> {
  readonly MONGODB_URI: string;
  readonly AMQP_URL: string;
}

/** A RabbitMQ and a server of MongoDB's wire protocol of a test file's own, to be broken as it likes. */
export interface RealEngines {
  readonly broker: RabbitBroker;
  readonly database: MongodbWire;
  /** A virtual host and databases which nobody has used yet. */
  fresh(): Promise<EngineSettings>;
  dispose(): Promise<void>;
}

export async function startRealEngines(): Promise<RealEngines> {
  const database = await MongodbWire.create();
  const [broker] = await Promise.all([RabbitBroker.start(), database.start()]);
  return {
    broker,
    database,
    fresh: () => freshOn(broker, database.uri),
    async dispose() {
      await Promise.all([broker.dispose(), database.dispose()]);
    },
  };
}

async function freshOn(broker: RabbitControl, databaseUri: string): Promise<EngineSettings> {
  const { url } = await broker.freshHost();
  return { MONGODB_URI: `${databaseUri}/test${randomBytes(4).toString('hex')}`, AMQP_URL: url };
}

const variable = 'TEST_REAL_ENGINES';

/** Lets the test files of a whole jest project use these. For its global setup. */
export function shareEngines({ broker, database }: RealEngines): void {
  process.env[variable] = JSON.stringify({ broker: broker.address, databaseUri: database.uri });
}

/** As `RealEngines.fresh`, on the engines that the jest project shares. */
export function freshOnSharedEngines(): Promise<EngineSettings> {
  const shared = process.env[variable];
  if (shared === undefined) throw new Error('the engines of this jest project are not running');
  const { broker, databaseUri } = JSON.parse(shared) as { broker: BrokerAddress; databaseUri: string };
  return freshOn(new RabbitControl(broker), databaseUri);
}
