import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authApi, type User } from '@latchkey/contracts';
import { type CallContext, createClient, createLogger, createSealer, directTransport } from '@latchkey/kit';
import { createOutbox } from '@latchkey/persistence';
import { FakeQueue, openTestDatabase } from '@latchkey/tests';
import { createAuth } from '../auth.js';
import type { AuthConfig } from '../config.js';
import { createDependencies } from '../create-dependencies.js';
import { createModels } from '../models/models.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { sweepCredentials } from '../use-cases/sweep-credentials.js';
import { FakeUsers } from './fake-users.js';
import { inProcessHasher } from './in-process-hasher.js';

// Some stories have hundreds of logins; a busy machine takes its time for them.
jest.setTimeout(30_000);

const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const testConfig: AuthConfig = {
  jwtPrivateKeys: [signingKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  peppers: ['0123456789-pepper-0123456789-pepper'],
  sealingKeys: ['0123456789-sealing-0123456789-key'],
  bcryptCost: 4,
  passwordMinLength: 8,
  productName: 'Latchkey',
  resetMode: 'bounded',
  resetTokenTtl: 1800,
  invitationTtl: 604800,
  sessionTtl: 43200,
  sessionIdleTtl: 7200,
  rateLimitScale: 1,
  retentionDays: 30,
};

export interface AuthTestOptions {
  readonly config?: Partial<AuthConfig>;
  readonly hasher?: PasswordHasher;
  readonly crashPoint?: (name: string) => void | Promise<void>;
}

/** The whole auth service on a database of its own, with users and the queue played by fakes and a clock that tests turn. */
export async function startAuth(options: AuthTestOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-auth-'));
  const file = join(directory, 'auth.db');
  const clock = new TurnableClock();
  const users = new FakeUsers();
  const queue = new FakeQueue();
  const config = { ...testConfig, ...options.config };
  const lines: string[] = [];
  const logger = createLogger({
    service: 'auth',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  const open = () => openTestDatabase({ file, clock });
  const connection = await open();
  const hasher = options.hasher ?? inProcessHasher(config.bcryptCost);
  const given = { config, logger, clock, users: users.client, hasher, pause: async () => {} };
  const crashPoint = (name: string) => options.crashPoint?.(name);
  const service = createAuth({ ...given, connection, queue, crashPoint });
  await service.start();
  const models = createModels(connection);
  // What a sweep would use, without its timer.
  const { aggregates } = createOutbox({ models: () => [], publish: async () => {}, clock, logger });
  const dependencies = createDependencies({ ...given, models, aggregates, crashPoint });
  const auth = createClient(authApi, directTransport({ routes: () => service.routes, clock }));
  const sealer = createSealer(config.sealingKeys);

  const context = (over: Partial<CallContext> = {}, address = '192.0.2.1'): CallContext => ({
    requestId: 'test',
    deadline: clock.now() + 20_000,
    principal: null,
    client: { address, userAgent: 'jest', languages: 'en' },
    ...over,
  });
  const as = (userId: number, role: 'admin' | 'member' = 'member', sessionId: string | null = null) =>
    context({ principal: { userId, role, sessionId } });
  const admin = () => as(0, 'admin');

  return {
    service,
    auth,
    users,
    queue,
    clock,
    models,
    config,
    sealer,
    file,
    dependencies,
    context,
    as,
    admin,
    log: () => lines.join(''),
    sweep: sweepCredentials(dependencies),
    /** A user with this password, set by an admin. */
    async givenUser(password: string | null = 'correct horse', overrides: Partial<User> = {}): Promise<User> {
      const user = users.add(overrides);
      if (password === null) return user;
      const body = { mode: 'provision' as const, password, context: [], email: user.email, name: 'Grace Hopper' };
      await auth.setPassword({ params: { user_id: String(user.id) }, body }, admin());
      return user;
    },
    logIn: (user: { email: string }, password: string, address?: string) =>
      auth.logIn({ body: { email: user.email, password } }, context({}, address)),
    reset: (user: { email: string }, address?: string) =>
      auth.requestPasswordReset({ body: { email: user.email } }, context({}, address)),
    async stop() {
      await service.stop();
      await connection.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
export type RunningAuth = Awaited<ReturnType<typeof startAuth>>;

/** Stands still until it is turned. */
class TurnableClock {
  #now = Date.parse('2030-01-01T12:00:00Z');
  now(): number {
    return this.#now;
  }
  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}
