/** One command on one database, as MongoDB's driver runs it. */
export type RunCommand = (database: string, command: Record<string, unknown>) => Promise<Record<string, unknown>>;

export interface DatabaseUser {
  readonly user: string;
  readonly password: string;
  /** Where it is kept. */
  readonly database: string;
  /** The only ones that it may read and write. */
  readonly writes: readonly string[];
}

const NOT_YET_INITIALIZED = 94;
const USER_EXISTS = 51003;
const TRIES = 120;

/** Makes a single server a replica set of one member (P32), and gives each service its account (S74). What is there already stays, passwords are set. */
export async function prepareDatabase(o: {
  run: RunCommand;
  /** Where members and clients find the server. */
  host: string;
  users: readonly DatabaseUser[];
  pause: () => Promise<void>;
}): Promise<void> {
  await initiate(o.run, o.host);
  await untilWritable(o.run, o.pause);
  for (const { user, password, database, writes } of o.users) {
    const account = { pwd: password, roles: writes.map((db) => ({ role: 'readWrite', db })) };
    try {
      await o.run(database, { createUser: user, ...account });
    } catch (error) {
      if (codeOf(error) !== USER_EXISTS) throw error;
      await o.run(database, { updateUser: user, ...account });
    }
  }
}

async function initiate(run: RunCommand, host: string): Promise<void> {
  try {
    await run('admin', { replSetGetStatus: 1 });
  } catch (error) {
    if (codeOf(error) !== NOT_YET_INITIALIZED) throw error;
    await run('admin', { replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
  }
}

/** A member alone elects itself within seconds. */
async function untilWritable(run: RunCommand, pause: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const { isWritablePrimary } = await run('admin', { hello: 1 });
    if (isWritablePrimary === true) return;
    await pause();
  }
  throw new Error('the replica set has no primary');
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;
