import { authModels } from '@latchkey/auth';
import { databaseName } from '@latchkey/hosting';
import type { Logger } from '@latchkey/kit';
import { mailModel } from '@latchkey/mailer';
import { paymentModels } from '@latchkey/payment';
import { buildIndexes, connectMongo, deadLetterModel } from '@latchkey/persistence';
import { userModels } from '@latchkey/user';
import type { Connection } from 'mongoose';

/** What each service stores; a model is on its connection once it was asked for. */
const modelsOf: Readonly<Record<string, readonly ((connection: Connection) => unknown)[]>> = {
  auth: [authModels, deadLetterModel],
  user: [userModels, deadLetterModel],
  payment: [paymentModels, deadLetterModel],
  mailer: [mailModel, deadLetterModel],
};

/**
 * Builds the indexes of every service's database on the server at `uri`, for services that start with BUILD_INDEXES=off. Waits for a server that is away.
 * Gives the number of indexes built by database; a second run builds none. Throws when something stands in the way: see `buildIndexes`.
 */
export async function migrate(o: {
  uri: string;
  logger: Logger;
  /** Refuses a server that is no replica set (P32). */
  production: boolean;
}): Promise<ReadonlyMap<string, number>> {
  const built = new Map<string, number>();
  for (const [service, models] of Object.entries(modelsOf)) {
    const dbName = databaseName(o.uri, service);
    const connection = await connectMongo({
      uri: o.uri,
      dbName,
      logger: o.logger,
      requireReplicaSet: o.production,
      buildIndexes: false,
    });
    try {
      for (const define of models) define(connection);
      built.set(dbName, await buildIndexes(connection));
    } finally {
      await connection.close();
    }
  }
  return built;
}
