import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { type ProcessName, processEntries } from './process-entries.js';

const main = resolve(__dirname, '../../services/standalone/dist/supervisor.main.js');
const portNames = [
  'PORT',
  'AUTH_PORT',
  'USER_PORT',
  'PAYMENT_PORT',
  'PROCESSOR_PORT',
  'MAILER_PORT',
  'GATEWAY_METRICS_PORT',
  'SANDBOX_PORT',
] as const;
type PortName = (typeof portNames)[number];

/** The compiled six processes under their supervisor, with a data folder that outlives them. */
export class ServiceProcesses {
  readonly dataDir: string;
  readonly #settings: Record<string, string>;
  readonly #ports: Record<PortName, number>;
  readonly #ownsFolder: boolean;
  #supervisor: ChildProcess | undefined;
  #exited: Promise<number | null> = Promise.resolve(null);
  #output = '';

  private constructor(ports: readonly number[], settings: Record<string, string>, dataDir: string | undefined) {
    this.#ports = Object.fromEntries(portNames.map((name, at) => [name, ports[at]])) as Record<PortName, number>;
    this.#ownsFolder = dataDir === undefined;
    this.dataDir = dataDir ?? mkdtempSync(join(tmpdir(), 'latchkey-services-'));
    this.#settings = {
      ...Object.fromEntries(Object.entries(this.#ports).map(([name, port]) => [name, String(port)])),
      DATA_DIR: this.dataDir,
      ...settings,
    };
  }

  /** `settings` must name the engines. */
  static async create(settings: Record<string, string>, dataDir?: string): Promise<ServiceProcesses> {
    return new ServiceProcesses(await freePorts(portNames.length), settings, dataDir);
  }

  get url(): string {
    return this.urlOf('PORT');
  }

  get publicUrl(): string {
    return this.#settings.PUBLIC_URL ?? `http://localhost:${this.#ports.PORT}`;
  }

  get mailboxUrl(): string {
    return `${this.urlOf('SANDBOX_PORT')}/mailbox`;
  }

  get databaseUri(): string {
    return this.#settings.MONGODB_URI as string;
  }

  urlOf(port: PortName): string {
    return `http://127.0.0.1:${this.#ports[port]}`;
  }

  /** Of the supervisor. */
  get pid(): number | undefined {
    return this.#supervisor?.pid;
  }

  /** What all of them wrote so far. */
  output(): string {
    return this.#output;
  }

  /** The log lines alone, as each process wrote them. */
  log(): string {
    return this.#output.replace(/^[a-z-]+ +\| /gm, '');
  }

  /** The process ids that a service has had so far, the present one last. */
  pidsOf(name: string): number[] {
    const lines = this.#output.split('\n').filter((line) => line.includes('"process started"'));
    return lines
      .map((line) => JSON.parse(line) as { process: string; pid: number })
      .filter((line) => line.process === name)
      .map(({ pid }) => pid);
  }

  spawn(): void {
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...this.#settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (chunk: Buffer) => {
      this.#output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    this.#supervisor = child;
    this.#exited = new Promise((done) => child.once('close', done));
    process.once('exit', () => child.kill('SIGKILL'));
  }

  /** Resolves when it has said where to go. */
  async start(): Promise<void> {
    const before = this.#output.length;
    this.spawn();
    await eventually(
      'the announcement of the supervisor',
      () => {
        if (this.#supervisor?.exitCode != null) throw new Error(`It ended:\n${this.#output.slice(-4_000)}`);
        return this.#output.includes('Latchkey is running.', before);
      },
      60_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.#output.slice(-6_000)}`);
    });
  }

  /** The whole, as the gateway tells it: up to two seconds ago, since probes share an answer for a second. */
  isHealthy(): Promise<boolean> {
    return answersWell(`${this.url}/health`);
  }

  /** This process, as it tells itself: never that of its former life. */
  isReady(name: ProcessName): Promise<boolean> {
    return answersWell(`${this.urlOf(processEntries[name].portName)}/readyz`);
  }

  /** Sends the signal to the supervisor and waits for its end; gives its exit code. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#supervisor?.kill(signal);
    return this.#exited;
  }

  async dispose(): Promise<void> {
    await this.end();
    if (this.#ownsFolder) rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

const answersWell = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
