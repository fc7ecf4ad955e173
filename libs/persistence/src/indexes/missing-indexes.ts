import type { Connection, Model } from 'mongoose';

/** An index as a person knows it: `latchkey_auth.sessions {"userId":1}`. */
export interface MissingIndex {
  readonly collection: string;
  readonly keys: Readonly<Record<string, unknown>>;
}

/** The indexes that the models of this connection ask for and the database does not have, or has with other options. */
export async function missingIndexes(connection: Connection): Promise<MissingIndex[]> {
  const missing: MissingIndex[] = [];
  for (const model of modelsOf(connection)) {
    const { toCreate } = (await model.diffIndexes()) as { toCreate: MissingIndex['keys'][] };
    for (const keys of toCreate) missing.push({ collection: nameOf(model), keys });
  }
  return missing;
}

/**
 * For a start that builds no indexes (BUILD_INDEXES=off): throws unless all are there, since uniqueness and expiry rest on them (P16). It names those that are not.
 */
export async function requireIndexes(connection: Connection): Promise<void> {
  const missing = await missingIndexes(connection);
  if (missing.length === 0) return;
  const names = missing.map(({ collection, keys }) => `${collection} ${JSON.stringify(keys)}`);
  throw new Error(`indexes are missing, and BUILD_INDEXES is off: run the migration first (${names.join(', ')})`);
}

export const modelsOf = (connection: Connection) => Object.values(connection.models) as Model<unknown>[];

export const nameOf = (model: Model<unknown>) => `${model.db.name}.${model.collection.name}`;
