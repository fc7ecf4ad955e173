import type { Connection, Model } from 'mongoose';
import { missingIndexes, modelsOf, nameOf } from './missing-indexes.js';

const INDEX_OPTIONS_CONFLICT = 85;
const INDEX_KEY_SPECS_CONFLICT = 86;
const DUPLICATE_KEY = 11000;

/**
 * Builds what the models of this connection ask for and the database does not have; gives how many indexes that were. Does nothing the second time, and never
 * drops or changes what is there: an index that stands in the way, or data that break a unique one, are refused with an error that says what to do (P16).
 */
export async function buildIndexes(connection: Connection): Promise<number> {
  const missing = await missingIndexes(connection);
  for (const model of modelsOf(connection)) {
    try {
      await model.createIndexes();
    } catch (error) {
      throw new Error(`${nameOf(model)}: ${explain(error, model)}`, { cause: error });
    }
  }
  return missing.length;
}

function explain(error: unknown, model: Model<unknown>): string {
  const { code, message } = error as Error & { code?: unknown };
  if (code === DUPLICATE_KEY) return `documents break a unique index; make them differ and run this again. ${message}`;
  if (code === INDEX_OPTIONS_CONFLICT || code === INDEX_KEY_SPECS_CONFLICT)
    return `an index of other options stands in the way; drop it (db.${model.collection.name}.dropIndex) and run this again. ${message}`;
  return message;
}
