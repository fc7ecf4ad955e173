import { connect } from 'amqplib';
import mongoose from 'mongoose';
import type { RabbitBroker } from '../../support/rabbitmq.js';

export interface LeftOver {
  /** Counts of what is still to be done, by where it lies; empty at the end. */
  readonly busy: Record<string, number>;
  /** What was set aside for a person: dead queues and dead letters. */
  readonly dead: number;
}

interface Where {
  readonly databaseUri: string;
  readonly amqpUrl: string;
  /** The virtual host. */
  readonly host: string;
  readonly broker: RabbitBroker;
}

/** Looks into databases and queues directly, past the proxies and past what the processes say of themselves. */
export function leftOver(where: Where) {
  const client = new mongoose.mongo.MongoClient(where.databaseUri);
  const prefix = new URL(where.databaseUri).pathname.slice(1);

  async function inDatabases(): Promise<LeftOver> {
    const busy: Record<string, number> = {};
    let dead = 0;
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((database) => database.name.startsWith(`${prefix}_`))) {
      for (const collection of await client.db(name).collections()) {
        const { collectionName } = collection;
        if (collectionName === 'dead_letters') dead += await collection.countDocuments();
        const count = async (what: string, filter: object) => {
          const found = await collection.countDocuments(filter);
          if (found > 0) busy[`${name}.${collectionName} ${what}`] = found;
        };
        await count('outbox', { 'outbox.0': { $exists: true } });
        if (collectionName === 'mails') await count('unsent', { state: { $in: ['queued', 'sending'] } });
        if (collectionName === 'webhook_events') await count('unapplied', { state: { $in: ['received', 'failing'] } });
      }
    }
    return { busy, dead };
  }

  /** Ready and unacknowledged alike, as the broker counted at most five seconds ago. */
  async function inQueues(): Promise<LeftOver> {
    const busy: Record<string, number> = {};
    let dead = 0;
    const listed = await where.broker.ctl('list_queues', '-p', where.host, '--no-table-headers', 'name', 'messages');
    const names = listed
      .split('\n')
      .flatMap((line) => (line.includes('\t') ? [line.split('\t') as [string, string]] : []));
    const connection = await connect(where.amqpUrl);
    try {
      const channel = await connection.createChannel();
      for (const [name, counted] of names) {
        const { messageCount } = await channel.checkQueue(name);
        if (name.endsWith('.dead')) dead += messageCount;
        else if (messageCount > 0) busy[name] = messageCount;
        else if (Number(counted) > 0) busy[`${name} (unacknowledged)`] = Number(counted);
      }
    } finally {
      await connection.close();
    }
    if (names.length === 0) busy['no queue at all'] = 1;
    return { busy, dead };
  }

  return {
    /** Queues are asked only when the databases have nothing left, and those once more afterwards. */
    async look(): Promise<LeftOver> {
      const before = await inDatabases();
      if (Object.keys(before.busy).length > 0) return before;
      const queues = await inQueues();
      if (Object.keys(queues.busy).length > 0) return queues;
      const { busy, dead } = await inDatabases();
      return { busy, dead: dead + queues.dead };
    },
    close: () => client.close(),
  };
}
