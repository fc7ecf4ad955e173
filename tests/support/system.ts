import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createStandalone } from '@latchkey/standalone';
import { ApiClient } from './api-client.js';
import { freePorts } from './free-ports.js';
import { Mailbox } from './mailbox.js';

export interface GivenUser {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

/** The whole system on embedded parts, in this process, known to tests through its gateway and its mailbox alone. */
export interface System {
  readonly url: string;
  readonly publicUrl: string;
  readonly mailbox: Mailbox;
  readonly dataDir: string;
  /** Every line that was logged so far. */
  readonly log: () => string;
  /** A client without a session. */
  client(): ApiClient;
  /** A client logged in as the first admin (the same session for all who ask). */
  admin(): Promise<ApiClient>;
  givenUser(user: { password: string; email?: string; role?: 'admin' | 'member' }): Promise<GivenUser>;
  loggedIn(user: { email: string; password: string }): Promise<ApiClient>;
  stop(): Promise<void>;
}

const adminCredentials = { email: 'root@example.com', password: 'first of all admins' };
const hook = resolve(__dirname, 'ts-hook.cjs');

/** Starts a system on free ports and a data folder of its own. `settings` are configuration names, on top of defaults that suit tests. */
export async function startSystem(
  settings: Record<string, string> = {},
  options: { clock?: { now(): number }; dataDir?: string } = {},
): Promise<System> {
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
      BCRYPT_COST: '4',
      RATE_LIMIT_SCALE: '1000',
      ADMIN_EMAIL: adminCredentials.email,
      ADMIN_PASSWORD: adminCredentials.password,
      LOG_LEVEL: 'debug',
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
  const client = () => new ApiClient(url);
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
    url,
    publicUrl,
    mailbox: new Mailbox(mailboxUrl),
    dataDir,
    log: () => lines.join(''),
    client,
    loggedIn,
    admin: asAdmin,
    async givenUser({ password, email = `user${++counter}@example.net`, role = 'member' }) {
      const body = { email, first_name: 'Grace', last_name: 'Hopper', password, role };
      const answer = await (await asAdmin()).post('/user', body);
      if (answer.status !== 201) throw new Error(`User was not created: ${answer.text}`);
      return { id: answer.body.user.id, email, password };
    },
    async stop() {
      await standalone.stop();
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
