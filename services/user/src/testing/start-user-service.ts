import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Role, userApi } from '@latchkey/contracts';
import { type CallContext, createClient, createLogger, createSealer, directTransport } from '@latchkey/kit';
import { FakeQueue, openTestDatabase } from '@latchkey/tests';
import type { UserConfig } from '../config.js';
import type { UserModels } from '../models/models.js';
import { createUser, type UserServiceOptions } from '../user.js';
import { FakeAuth } from './fake-auth.js';

type Connection = UserServiceOptions['connection'];

const sealingKeys = ['0123456789abcdef-0123456789abcdef'];

/** The whole user service on a database of its own, with auth and the queue played by fakes. `clock` is the database's too. */
export async function startUserService(
  options: Partial<UserConfig> & Pick<UserServiceOptions, 'crashPoint' | 'billing'> = {},
) {
  const { crashPoint, billing, ...settings } = options;
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-user-'));
  const clock = new TurnableClock();
  const auth = new FakeAuth();
  const queue = new FakeQueue();
  const open = () => openTestDatabase({ file: join(directory, 'user.db'), clock });
  const connections = [await open()];
  const config: UserConfig = {
    access: 'roles',
    rateLimitScale: 1,
    eraseAfterDays: null,
    billingOnDelete: 'cancel-now',
    retentionDays: 30,
    sealingKeys,
    ...settings,
  };
  const logger = createLogger({ service: 'user', level: 'silent' });
  const [first] = connections as [Connection];
  const compose = (extra: Partial<UserServiceOptions>) =>
    createUser({ config, logger, clock, connection: first, queue, auth: auth.client, billing, ...extra });
  const service = compose({ crashPoint });
  const services = [service];
  const clientOf = (replica: typeof service) =>
    createClient(userApi, directTransport({ routes: () => replica.routes, clock }));
  await service.start();

  return {
    service,
    users: clientOf(service),
    models: modelsOf(first),
    auth,
    queue,
    clock,
    sealer: createSealer(sealingKeys),
    /** A context of a session of this user; `system` acts when none is given. */
    as: (userId: number, role: Role = 'member', address = '192.0.2.1') => contextOf(clock, userId, role, address),
    admin: () => contextOf(clock, 0, 'admin', '192.0.2.1'),
    nobody: (address = '192.0.2.1'): CallContext => ({ ...contextOf(clock, 1, 'member', address), principal: null }),
    /** The service with other parts, not started. */
    compose,
    /** A second process on the same database. */
    async startReplica(extra: Pick<UserServiceOptions, 'crashPoint'> = {}) {
      const connection = await open();
      connections.push(connection);
      const replica = compose({ ...extra, connection });
      services.push(replica);
      await replica.start();
      return { service: replica, users: clientOf(replica) };
    },
    async stop() {
      for (const each of services) await each.stop();
      for (const connection of connections) await connection.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type RunningUserService = Awaited<ReturnType<typeof startUserService>>;

/** The service's own model objects, so that a test can also step between its calls. */
function modelsOf({ models }: Connection): UserModels {
  const { User: users, Counter: counters, AdminRoster: rosters, Throttle: throttles } = models;
  return { users, counters, rosters, throttles } as unknown as UserModels;
}

/** Runs on with real time, from where it was turned to. */
class TurnableClock {
  #ahead = 0;
  now(): number {
    return Date.now() + this.#ahead;
  }
  advance(seconds: number): void {
    this.#ahead += seconds * 1000;
  }
}

function contextOf(clock: { now(): number }, userId: number, role: Role, address: string): CallContext {
  return {
    requestId: `request-${userId}`,
    deadline: clock.now() + 20_000,
    principal: { userId, role, sessionId: 'a'.repeat(32) },
    client: { address, userAgent: null, languages: 'de' },
  };
}
