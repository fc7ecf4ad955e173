import { createHash } from 'node:crypto';
import { writeClock } from './mongodb-wire-clock.js';

type Connection = import('mongoose').Connection;

export interface TestDatabaseOptions {
  /** Where the embedded database is; on a server a database is named after it, so that the same file is the same data there too. */
  readonly file: string;
  /** What the database's own clock goes by; the system's unless given. */
  readonly clock?: { now(): number };
}

/** Set for the jest project `real-services`: its tests use the MongoDB-wire server that the project's global setup started. */
const engine: string | undefined = Reflect.get(globalThis, 'databaseEngine');

/** The database of a service under test: the embedded one, which refuses filters without an index, or the server that the jest project names. */
export async function openTestDatabase({ file, clock }: TestDatabaseOptions): Promise<Connection> {
  if (engine === 'mongodb') return openOnServer(file, clock);
  // Loaded when asked for: most tests need neither engine.
  const { openEmbeddedDatabase } = await import('@latchkey/embedded');
  const now = clock && (() => new Date(clock.now()));
  return openEmbeddedDatabase({ file, refuseUnindexedFilters: true, ...(now && { clock: now }) });
}

async function openOnServer(file: string, clock: TestDatabaseOptions['clock']): Promise<Connection> {
  const { connectMongo } = await import('@latchkey/persistence');
  const { createLogger } = await import('@latchkey/kit');
  const { TEST_MONGODB_URI: uri, TEST_MONGODB_CLOCK: clockFile } = process.env;
  if (!uri || !clockFile) throw new Error('the MongoDB-wire server of these tests is not running');
  const turn = () => writeClock(clockFile, clock ? clock.now() : null);
  turn();
  const connection = await connectMongo({
    uri,
    dbName: `test_${createHash('sha256').update(file).digest('hex').slice(0, 16)}`,
    logger: createLogger({ service: 'test', level: 'silent' }),
    overrides: { monitorCommands: true },
  });
  // Before each command, so that the server's time is the test's when the command arrives. Tests on the server run one after another.
  if (clock) connection.getClient().on('commandStarted', turn);
  return connection;
}

/** All documents of all models, as text, to look for what must not be there. */
export async function storedText(connection: Connection): Promise<string> {
  const all = Object.values(connection.models).map((model) => model.find().lean());
  return JSON.stringify(await Promise.all(all));
}
