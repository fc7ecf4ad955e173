import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { authModels } from '@latchkey/auth';
import { openEmbeddedDatabase } from '@latchkey/embedded';
import { databaseName } from '@latchkey/hosting';
import { createLogger } from '@latchkey/kit';
import { mailModel } from '@latchkey/mailer';
import { paymentModels } from '@latchkey/payment';
import { connectMongo, deadLetterModel } from '@latchkey/persistence';
import { userModels } from '@latchkey/user';
import type { Connection, Model } from 'mongoose';
import type { Examined } from './examined.js';
import { type Finding, failed, ok, reasonOf, warning } from './finding.js';

const PATIENCE = 10_000;

/** What each service keeps, by the name of its database. */
const modelsOf: Record<string, (connection: Connection) => object> = {
  auth: authModels,
  user: userModels,
  payment: paymentModels,
  mailer: (connection) => ({ mails: mailModel(connection) }),
};

/** Every service's database answers and has the indexes that its service builds, none differing. */
export async function checkDatabase(examined: Examined): Promise<Finding[]> {
  const findings = await Promise.all(Object.keys(modelsOf).map((service) => checkOne(service, examined)));
  return findings.flat();
}

async function checkOne(service: string, examined: Examined): Promise<Finding[]> {
  const file = join(examined.dataDir, `${service}.db`);
  if (!examined.mongodbUri && !existsSync(file))
    return [
      warning(
        'database',
        `${file} is not there yet`,
        'The first start makes it; if there was one, DATA_DIR is another.',
      ),
    ];
  let connection: Connection | undefined;
  try {
    connection = await open(service, file, examined);
    await connection.db?.command({ ping: 1 });
    return await checkIndexes(service, connection);
  } catch (error) {
    return [
      failed(
        'database',
        `${service}: ${reasonOf(error)}`,
        examined.mongodbUri
          ? 'See that MONGODB_URI is right, that the server runs, and that the account may read and write this database.'
          : `See that ${file} is readable and whole; else restore a backup.`,
      ),
    ];
  } finally {
    await connection?.close();
  }
}

async function open(service: string, file: string, { mongodbUri: uri, production }: Examined): Promise<Connection> {
  if (!uri) return openEmbeddedDatabase({ file });
  const logger = createLogger({ service: 'doctor', level: 'silent' });
  const signal = AbortSignal.timeout(PATIENCE);
  return connectMongo({
    uri,
    dbName: databaseName(uri, service),
    logger,
    requireReplicaSet: production,
    signal,
    overrides: { autoIndex: false, autoCreate: false },
  });
}

async function checkIndexes(service: string, connection: Connection): Promise<Finding[]> {
  connection.set('autoIndex', false);
  connection.set('autoCreate', false);
  const present = ((await connection.db?.listCollections().toArray()) ?? []).map(({ name }) => name);
  const models = [
    ...Object.values(modelsOf[service]?.(connection) ?? {}),
    deadLetterModel(connection),
  ] as Model<unknown>[];
  const faults: Finding[] = [];
  for (const model of models) {
    const { collectionName } = model.collection;
    const name = `${service}.${collectionName}`;
    if (!present.includes(collectionName)) {
      faults.push(warning('indexes', `${name} is not there yet`, 'The next start of its service makes it.'));
      continue;
    }
    const { toDrop, toCreate } = await model.diffIndexes();
    for (const index of toCreate)
      faults.push(
        failed(
          'indexes',
          `${name} lacks ${JSON.stringify(index)}`,
          'Restart its service, which builds it; while it is missing, what it keeps unique may double.',
        ),
      );
    for (const index of toDrop)
      faults.push(
        warning(
          'indexes',
          `${name} has ${index}, which nothing uses or which differs`,
          'Drop it once no process of an older release runs.',
        ),
      );
  }
  return faults.length > 0
    ? faults
    : [ok('database', `${service}: answers, ${models.length} collections with their indexes`)];
}
