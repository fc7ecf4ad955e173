import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createStandalone } from '@latchkey/standalone';
import { ApiClient } from './api-client.js';
import { filesHolding } from './at-rest.js';
import { freePorts } from './free-ports.js';
import { Mailbox } from './mailbox.js';
import { startProcessSystem } from './process-system.js';

export interface GivenUser {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

/** The whole system, known to tests through its gateway and its mailbox alone. */
export interface System {
  readonly url: string;
  readonly publicUrl: string;
  readonly mailbox: Mailbox;
  readonly dataDir: string;
  /** Every line that was logged so far. */
  readonly log: () => string;
  /** Which files or collections of the databases hold this text. */
  atRest(text: string): Promise<string[]>;
  /** A client without a session. */
  client(): ApiClient;
  /** A client logged in as the first admin (the same session for all who ask). */
  admin(): Promise<ApiClient>;
  givenUser(user: { password: string; email?: string; role?: 'admin' | 'member' }): Promise<GivenUser>;
  loggedIn(user: { email: string; password: string }): Promise<ApiClient>;
  stop(): Promise<void>;
}

export const adminCredentials = { email: 'root@example.com', password: 'first of all admins' };
const hook = resolve(__dirname, 'ts-hook.cjs');

/** On top of these come the settings of the test. */
export const testSettings = {
  BCRYPT_COST: '4',
  RATE_LIMIT_SCALE: '1000',
  ADMIN_EMAIL: adminCredentials.email,
  ADMIN_PASSWORD: adminCredentials.password,
  LOG_LEVEL: 'debug',
};

export interface SystemOptions {
  /** Only in this process. */
  readonly clock?: { now(): number };
  /** Left behind at the end; default: a fresh one that is removed. */
  readonly dataDir?: string;
}

/**
 * Starts a system on free ports and a data folder of its own. `settings` are configuration names, on top of defaults that suit tests. In the jest project
 * `real-e2e` it is six processes on RabbitMQ and MongoDB's wire protocol, in `compose` the stack of containers, else all in this process on embedded parts.
 */
export async function startSystem(settings: Record<string, string> = {}, options: SystemOptions = {}): Promise<System> {
  const { latchkeySystem: kind } = globalThis as { latchkeySystem?: 'processes' | 'compose' };
  if (kind === 'processes') return startProcessSystem(settings, options);
  if (kind === 'compose') return sharedStack(settings);
  return startStandaloneSystem(settings, options);
}

async function sharedStack(settings: Record<string, string>): Promise<System> {
  if (Object.keys(settings).length > 0) throw new Error('the stack of containers is shared: it takes no settings');
  return (await import('./compose-stack.js')).ComposeStack.shared().system();
}

async function startStandaloneSystem(settings: Record<string, string>, options: SystemOptions): Promise<System> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'latchkey-e2e-'));
  const lines: string[] = [];
  // Known beforehand, since PUBLIC_URL and the simulator's address are built from them.
  const [port, paymentPort] = await freePorts(2);
  const standalone = await createStandalone(
    {
      DATA_DIR: dataDir,
      PORT: String(port),
      AUTH_PORT: '0',
      USER_PORT: '0',
      PAYMENT_PORT: String(paymentPort),
      PROCESSOR_PORT: '0',
      MAILER_PORT: '0',
      GATEWAY_METRICS_PORT: '0',
      ...testSettings,
      ...settings,
    },
    {
      logDestination: { write: (line: string) => void lines.push(line) },
      hasherArguments: ['-r', hook],
      ...(options.clock && { clock: options.clock }),
    },
  );
  await standalone.start();
  const { url, publicUrl, mailboxUrl = '' } = standalone.addresses();
  return systemAt({
    url,
    publicUrl,
    mailbox: new Mailbox(mailboxUrl),
    dataDir,
    log: () => lines.join(''),
    atRest: async (text) => filesHolding(dataDir, text),
    async stop() {
      await standalone.stop();
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  });
}

/** What tests see of a system that runs somewhere. */
export function systemAt(
  where: Pick<System, 'url' | 'publicUrl' | 'mailbox' | 'dataDir' | 'log' | 'atRest' | 'stop'>,
): System {
  const client = () => new ApiClient(where.url);
  const loggedIn = async ({ email, password }: { email: string; password: string }) => {
    const one = client();
    const answer = await one.post('/login', { email, password });
    if (answer.status !== 200) throw new Error(`Login of ${email} was refused: ${answer.text}`);
    return one;
  };
  let admin: Promise<ApiClient> | undefined;
  const asAdmin = () => {
    admin ??= loggedIn(adminCredentials);
    return admin;
  };
  let counter = 0;
  return {
    ...where,
    client,
    loggedIn,
    admin: asAdmin,
    async givenUser({ password, email = `user${++counter}@example.net`, role = 'member' }) {
      const body = { email, first_name: 'Grace', last_name: 'Hopper', password, role };
      const answer = await (await asAdmin()).post('/user', body);
      if (answer.status !== 201) throw new Error(`User was not created: ${answer.text}`);
      return { id: answer.body.user.id, email, password };
    },
  };
}
