import type { Logger } from '@latchkey/kit';
import mongoose, { type Connection, type ConnectOptions } from 'mongoose';

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`; several members make a replica set. */
  readonly uri: string;
  readonly dbName: string;
  readonly logger: Logger;
  /** In production a server that is no replica set is refused: it loses acknowledged writes after a kill -9 (P32). */
  readonly requireReplicaSet?: boolean;
  /** Whether models build their indexes before they are used; default true. Without, see `requireIndexes`. */
  readonly buildIndexes?: boolean;
  /** Gives up when aborted. */
  readonly signal?: AbortSignal;
  /** Changes to {@link mongoOptions}, for tests. */
  readonly overrides?: ConnectOptions;
}

/** Writes are answered when a majority has them on disk; nothing waits for ever on a server that is away (P12, P13, F15, F16). */
export function mongoOptions(dbName: string): ConnectOptions {
  return {
    dbName,
    bufferCommands: false,
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    // 0 by default: an answer that never comes would be waited for without end.
    socketTimeoutMS: 20_000,
    waitQueueTimeoutMS: 5_000,
    maxPoolSize: 20,
    // Ignoring it would drop conditions out of filters, and match more than was asked for: undefined is null, as on the embedded database.
    ignoreUndefined: false,
    retryWrites: true,
    retryReads: true,
    readPreference: 'primary',
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  };
}

/** The URI as it may be logged: without user and password. */
export function withoutCredentials(uri: string): string {
  return uri.replace(/^(mongodb(?:\+srv)?:\/\/)(?:.*@)?([^?]*).*$/s, '$1$2');
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;

/**
 * Connects to MongoDB with a mongoose instance of its own, so that other connections keep their settings. Resolves once connected; mongoose gives up after a
 * failed first connect (P15), so that one is tried again here, 1 s to 10 s apart, until it works or `signal` aborts. Later breaks are healed by the driver.
 * Throws at once for a URI that cannot be read and for a server that will not do.
 */
export async function connectMongo(o: MongoOptions): Promise<Connection> {
  if (!/^mongodb(\+srv)?:\/\/./.test(o.uri))
    throw new Error('the MongoDB URI must begin with mongodb:// or mongodb+srv://');
  const server = withoutCredentials(o.uri);
  const instance = new mongoose.Mongoose();
  instance.set('bufferCommands', false);
  const { buildIndexes = true } = o;
  const indexes = { autoIndex: buildIndexes, autoCreate: buildIndexes };
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    o.signal?.throwIfAborted();
    const connection = instance.createConnection();
    connection.on('error', (error: Error) => o.logger.error({ err: error, server }, 'database connection failed'));
    try {
      await connection.openUri(o.uri, { ...mongoOptions(o.dbName), ...indexes, ...o.overrides });
    } catch (error) {
      await connection.close(true).catch(() => undefined);
      if (isMistake(error)) throw error;
      o.logger.warn({ err: error, server, nextTryMs: wait }, 'the database cannot be reached yet');
      await pause(wait, o.signal);
      continue;
    }
    try {
      await inspect(connection, server, o);
      return connection;
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw error;
    }
  }
}

/** Nothing that time would heal. */
function isMistake(error: unknown): boolean {
  return ['MongoParseError', 'MongoInvalidArgumentError', 'MongoAPIError', 'TypeError'].includes((error as Error).name);
}

async function inspect(connection: Connection, server: string, o: MongoOptions): Promise<void> {
  let closing = false;
  connection.once('disconnecting', () => {
    closing = true;
  });
  connection.on('disconnected', () => {
    if (!closing) o.logger.warn({ server }, 'database disconnected');
  });
  connection.on('reconnected', () => o.logger.info({ server }, 'database reconnected'));
  const hello = await connection.db?.admin().command({ hello: 1 });
  if (hello?.setName !== undefined || hello?.msg === 'isdbgrid') return;
  const problem = 'this MongoDB is no replica set: a crash of it can lose acknowledged writes';
  if (o.requireReplicaSet) throw new Error(problem);
  o.logger.warn({ server }, problem);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
