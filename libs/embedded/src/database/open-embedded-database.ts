import mongoose from 'mongoose';
import { sweepExpired as sweep } from './collection/expiry.js';
import { type EmbeddedClient, embeddedDriver } from './driver/mongoose-driver.js';

export interface EmbeddedDatabaseOptions {
  /** Path of the SQLite file; made when missing (its directory must exist). */
  readonly file: string;
  /** For tests: a filter or sort that no index serves throws {@link UnindexedFilterError}. */
  readonly refuseUnindexedFilters?: boolean;
  /** The time that `$$NOW`, `$currentDate` and TTL go by; the system's unless given. */
  readonly clock?: () => Date;
}

/**
 * Opens the SQLite file and returns a mongoose connection whose models store there. It belongs to a mongoose instance of
 * its own, so connections to MongoDB and to other files live beside it. `close()` waits for the writes that are queued.
 * Throws DatabaseUnavailableError when the file cannot be opened.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<mongoose.Connection> {
  const instance = new mongoose.Mongoose();
  // P12: an operation on a closed connection fails at once instead of waiting ten seconds.
  instance.set('bufferCommands', false);
  const driver = embeddedDriver({
    path: options.file,
    refuseUnindexedFilters: options.refuseUnindexedFilters ?? false,
    now: options.clock ?? (() => new Date()),
  });
  // The type of setDriver's argument is unknown to mongoose's own declarations.
  (instance as unknown as { setDriver(driver: object): void }).setDriver(driver);
  return instance.createConnection(`embedded://${options.file}`).asPromise();
}

/** Deletes what has expired by the TTL indexes now, instead of at the next minute. Returns how many documents left. */
export function sweepExpired(connection: mongoose.Connection): Promise<number> {
  const client = connection.getClient() as unknown as Partial<EmbeddedClient> | undefined;
  if (client?.storage === undefined) throw new Error('the connection is not an open embedded database');
  return sweep(client.storage);
}
