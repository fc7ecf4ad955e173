import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ApiClient } from './api-client.js';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';

const main = resolve(__dirname, '../../services/standalone/dist/bundled.main.js');
const servicePortNames = ['AUTH_PORT', 'USER_PORT', 'PAYMENT_PORT', 'PROCESSOR_PORT', 'MAILER_PORT'];
const portNames = ['PORT', 'GATEWAY_METRICS_PORT', ...servicePortNames];

/** The compiled standalone system as a process of its own, with a data folder that outlives it, to be killed and started again. */
export class StandaloneProcess {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'latchkey-process-'));
  readonly adminCredentials = { email: 'root@example.com', password: 'first of all admins' };
  #settings: Record<string, string> = {};
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #log: string[] = [];
  #logFile: number | undefined;
  /** When each of its lives ended, on the clock of `performance.now()`. */
  readonly ends: number[] = [];

  /** `logFile`: a descriptor that it writes to instead of to us, for whoever has no time to read along. */
  static async create(settings: Record<string, string> = {}, logFile?: number): Promise<StandaloneProcess> {
    const one = new StandaloneProcess();
    one.#logFile = logFile;
    const ports = await freePorts(portNames.length);
    one.#settings = {
      ...Object.fromEntries(portNames.map((name, index) => [name, String(ports[index])])),
      DATA_DIR: one.dataDir,
      ADMIN_EMAIL: one.adminCredentials.email,
      ADMIN_PASSWORD: one.adminCredentials.password,
      BCRYPT_COST: '4',
      RATE_LIMIT_SCALE: '10000',
      ...settings,
    };
    return one;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#settings.PORT}`;
  }

  /** What another program of this installation must be given to find it. */
  get environment(): Readonly<Record<string, string>> {
    return this.#settings;
  }

  /** The services' own ports (health and metrics), without the gateway's. */
  servicePorts(): string[] {
    return servicePortNames.map((name) => this.#settings[name] as string);
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Everything it wrote so far, of all its lives. */
  log(): string {
    return this.#log.join('');
  }

  client(): ApiClient {
    return new ApiClient(this.url);
  }

  /** Starts it and waits until it is healthy. */
  async start(extra: Record<string, string> = {}): Promise<void> {
    this.spawn(extra);
    await this.healthy();
  }

  spawn(extra: Record<string, string> = {}): void {
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...this.#settings, ...extra },
      stdio: ['ignore', this.#logFile ?? 'pipe', this.#logFile ?? 'pipe'],
    });
    child.stdout?.on('data', (chunk) => this.#log.push(String(chunk)));
    child.stderr?.on('data', (chunk) => this.#log.push(String(chunk)));
    this.#child = child;
    this.#exited = new Promise((done) => {
      child.once('exit', () => {
        this.ends.push(performance.now());
        if (this.#child === child) this.#child = undefined;
        done();
      });
    });
  }

  async healthy(within = 60_000): Promise<void> {
    await eventually(
      'healthy',
      async () => {
        if (!this.#child) throw new Error(`The process ended instead of becoming healthy:\n${this.log().slice(-4000)}`);
        return fetch(`${this.url}/health`, { signal: AbortSignal.timeout(2000) }).then(
          (answer) => answer.ok,
          () => false,
        );
      },
      within,
    );
  }

  /** SIGKILL, as the kernel or an operator would. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exited;
  }

  /** Resolves when it has ended by itself. */
  async ended(): Promise<void> {
    await this.#exited;
  }

  async terminate(): Promise<void> {
    this.#child?.kill('SIGTERM');
    await this.#exited;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
