import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { downAll, type IDockerComposeOptions, logs, upAll } from 'docker-compose';
import { freePorts } from './free-ports.js';
import { MailpitMailbox } from './mailbox.mailpit.js';
import { type System, systemAt } from './system.js';

const root = resolve(__dirname, '../..');
const variable = 'TEST_COMPOSE_STACK';

interface Address {
  readonly project: string;
  /** What the compose files take from the environment. */
  readonly ports: { readonly PORT: string; readonly MAILPIT_PORT: string; readonly SANDBOX_PORT: string };
}

/** The stack of docker-compose.yml as a project of its own, beside whatever else runs: its ports are free ones, and its volumes go with it. */
export class ComposeStack {
  private constructor(readonly address: Address) {}

  static async create(): Promise<ComposeStack> {
    const [PORT, MAILPIT_PORT, SANDBOX_PORT, RABBITMQ_PORT] = (await freePorts(4)).map(String);
    const ports = { PORT, MAILPIT_PORT, SANDBOX_PORT, RABBITMQ_PORT } as unknown as Address['ports'];
    return new ComposeStack({ project: `latchkey-test-${randomBytes(4).toString('hex')}`, ports });
  }

  /** The one that jest's global setup brought up. */
  static shared(): ComposeStack {
    const address = process.env[variable];
    if (address === undefined) throw new Error('the compose stack of these tests is not running');
    return new ComposeStack(JSON.parse(address) as Address);
  }

  share(): void {
    process.env[variable] = JSON.stringify(this.address);
  }

  get url(): string {
    return `http://127.0.0.1:${this.address.ports.PORT}`;
  }

  get options(): IDockerComposeOptions {
    return {
      cwd: root,
      config: ['docker-compose.yml', 'tests/compose/compose.test.yml'],
      composeOptions: ['--project-name', this.address.project],
      env: {
        ...process.env,
        ...this.address.ports,
        SANDBOX_URL: `http://localhost:${this.address.ports.SANDBOX_PORT}`,
      },
    };
  }

  /** Builds the image and starts everything; resolves when all of it is healthy and the one-shots have succeeded. */
  async up(): Promise<void> {
    await requireEngine();
    try {
      await upAll({ ...this.options, log: true, commandOptions: ['--build', '--wait', '--wait-timeout', '600'] });
    } catch (error) {
      const told = await logs([], this.options).catch(() => undefined);
      throw new Error(`The stack did not come up: ${textOf(error)}\n${(told?.out ?? '').slice(-8_000)}`);
    }
  }

  async down(): Promise<void> {
    await downAll({ ...this.options, commandOptions: ['--volumes', '--remove-orphans'] });
  }

  /** What tests see of it. Emails of users are this test file's own, since all of them share the stack. */
  system(): System {
    const { ports } = this.address;
    const system = systemAt({
      url: this.url,
      publicUrl: `http://localhost:${ports.PORT}`,
      mailbox: new MailpitMailbox(`http://127.0.0.1:${ports.MAILPIT_PORT}`),
      dataDir: mkdtempSync(join(tmpdir(), 'latchkey-compose-')),
      log: () => '',
      atRest: () => Promise.reject(new Error('what containers store cannot be read from here')),
      stop: async () => undefined,
    });
    const own = randomBytes(4).toString('hex');
    let users = 0;
    return {
      ...system,
      givenUser: (user) => system.givenUser({ email: `user${++users}.${own}@example.net`, ...user }),
    };
  }
}

/** Throws, with what to do, unless containers can be run here. */
async function requireEngine(): Promise<void> {
  try {
    await promisify(execFile)('docker', ['version', '--format', '{{.Server.Version}}']);
    await promisify(execFile)('docker', ['compose', 'version']);
  } catch (error) {
    throw new Error(
      `npm run test:compose needs a running Docker engine and the compose plugin, 2.24 or later: ${textOf(error)}`,
    );
  }
}

/** Compose rejects with its output, not with an error. */
function textOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return (error as { err?: string } | null)?.err ?? String(error);
}
