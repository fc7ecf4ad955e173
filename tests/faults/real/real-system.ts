import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { type RealEngines, startRealEngines } from '../../support/real-engines.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { adminCredentials } from '../../support/system.js';
import { leftOver } from './left-over.js';
import { Provider } from './provider.js';
import { createSixProcesses, type ProcessName, processNames, type SixProcesses } from './six-processes.js';

/** The six processes, each started again when it dies, on real engines behind proxies that can break; mail server and payment provider live in this process. */
export class RealSystem {
  readonly adminCredentials = adminCredentials;
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'latchkey-faults-'));
  /** Moments at which a fault began or ended: only across one of them, or a death of the mailer, may a mail come twice. */
  readonly #troubles: number[] = [];
  engines!: RealEngines;
  sink!: SmtpSink;
  provider!: Provider;
  processes!: SixProcesses;
  url!: string;
  proxies!: Record<'amqp' | 'database' | 'smtp', FaultProxy>;
  #direct!: { readonly databaseUri: string; readonly amqpUrl: string; readonly host: string };

  /** Everything runs but the six processes. */
  static async prepare(extra: Record<string, string> = {}): Promise<RealSystem> {
    const system = new RealSystem();
    try {
      await system.#prepare(extra);
    } catch (error) {
      await system.dispose();
      throw error;
    }
    return system;
  }

  static async start(extra: Record<string, string> = {}): Promise<RealSystem> {
    const system = await RealSystem.prepare(extra);
    try {
      system.startProcesses();
      await system.ready();
    } catch (error) {
      await system.dispose();
      throw error;
    }
    return system;
  }

  async #prepare(extra: Record<string, string>): Promise<void> {
    this.engines = await startRealEngines();
    this.sink = new SmtpSink();
    await this.sink.start();
    const { MONGODB_URI, AMQP_URL } = await this.engines.fresh();
    const { broker, database } = this.engines;
    this.proxies = {
      amqp: await FaultProxy.to(broker.port),
      database: await FaultProxy.to(database.port),
      smtp: await FaultProxy.to(Number(new URL(this.sink.url).port)),
    };
    this.#direct = {
      databaseUri: MONGODB_URI,
      amqpUrl: AMQP_URL,
      host: decodeURIComponent(new URL(AMQP_URL).pathname.slice(1)),
    };
    const through = (url: string, proxy: FaultProxy) => url.replace(/(127\.0\.0\.1):\d+/, `$1:${proxy.port}`);
    const { gatewayUrl, processes } = await createSixProcesses(this.#dataDir, (gateway) => {
      this.provider = new Provider(this.#dataDir, gateway);
      return {
        MONGODB_URI: through(MONGODB_URI, this.proxies.database),
        AMQP_URL: through(AMQP_URL, this.proxies.amqp),
        SMTP_URL: through(this.sink.url, this.proxies.smtp),
        STRIPE_WEBHOOK_SECRET: this.provider.webhookSecret,
        ...extra,
      };
    });
    await this.provider.start();
    for (const one of Object.values(processes)) one.set({ STRIPE_API_URL: this.provider.apiUrl });
    this.url = gatewayUrl;
    this.processes = processes;
  }

  /** Of the broker itself, past the proxy. */
  get amqpUrl(): string {
    return this.#direct.amqpUrl;
  }

  startProcesses(): void {
    for (const name of processNames) this.processes[name].start();
  }

  client(): ApiClient {
    return new ApiClient(this.url);
  }

  /** All are up and the whole says that it is well; by themselves. */
  async ready(within = 90_000): Promise<void> {
    for (const name of processNames) await this.processes[name].ready(0, within);
    const isWell = () =>
      fetch(`${this.url}/health`, { signal: AbortSignal.timeout(5_000) })
        .then((answer) => answer.json() as Promise<{ status: string }>)
        .then(({ status }) => status === 'ok')
        .catch(() => false);
    await eventually('a system that says it is well', isWell, within);
  }

  /** Runs something that breaks engines or lines, and notes when. */
  async trouble<T>(work: () => Promise<T>): Promise<T> {
    this.#troubles.push(performance.now());
    try {
      return await work();
    } finally {
      this.#troubles.push(performance.now());
    }
  }

  /** The moments that explain another copy of a mail. */
  excuses(): number[] {
    return [...this.#troubles, ...this.processes.mailer.ends.map(({ at }) => at)];
  }

  /** How often each process ended unasked. */
  deaths(): Record<string, number> {
    return Object.fromEntries(
      processNames.flatMap((name) => {
        const { length } = this.processes[name].ends;
        return length === 0 ? [] : [[name, length]];
      }),
    );
  }

  /** What each process holds in memory. */
  megabytes(): Record<string, number> {
    const rss = (pid: number) => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
    return Object.fromEntries(processNames.map((name) => [name, Math.round(rss(this.processes[name].pid) / 1024)]));
  }

  log(name: ProcessName): string {
    return this.processes[name].log();
  }

  /** Waits until the provider has no webhook to repeat and outboxes, queues and mails are empty; gives what lies dead. */
  async drain(within = 120_000): Promise<{ dead: number }> {
    await this.ready(within);
    // By itself the provider waits twice as long after each refusal: after many faults, for a quarter of an hour.
    await eventually('every webhook delivered', () => this.provider.resendRefused(), within);
    const state = leftOver({ ...this.#direct, broker: this.engines.broker });
    try {
      let last = '';
      await eventually(
        'nothing left over',
        async () => {
          const { busy } = await state.look();
          last = JSON.stringify(busy);
          return Object.keys(busy).length === 0;
        },
        within,
      ).catch((error: Error) => {
        throw new Error(`${error.message}: ${last}`);
      });
      return { dead: (await state.look()).dead };
    } finally {
      await state.close();
    }
  }

  async dispose(): Promise<void> {
    await Promise.all(Object.values(this.processes ?? {}).map((one) => one.stop()));
    await this.provider?.stop();
    await this.sink?.stop();
    for (const proxy of Object.values(this.proxies ?? {})) await proxy.stop();
    await this.engines?.dispose();
    rmSync(this.#dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
