import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createListener, createLogger, type Listener, systemClock } from '@latchkey/kit';
import { createStripeSimulator, type StripeSimulator } from '@latchkey/sandbox';
import { withSecrets } from '@latchkey/standalone';
import express from 'express';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { type ProcessName, processEntries, processNames } from './process-entries.js';
import type { RealEngines } from './real-engines.js';
import { SmtpSink } from './smtp-sink.js';
import { testSettings } from './system.js';

const root = resolve(__dirname, '../..');

/** Ended with the test's process, however that ends. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** One compiled process. */
export class Replica {
  #child: ChildProcess | undefined;
  #exited: Promise<number | null> = Promise.resolve(null);
  output = '';

  constructor(
    readonly name: ProcessName,
    readonly url: string,
    private readonly environment: Record<string, string>,
  ) {}

  /** Resolves when it says that it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [join(root, processEntries[this.name].module)], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (chunk: Buffer) => {
      this.output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    this.#child = child;
    this.#exited = new Promise((done) => child.once('close', done));
    children.add(child);
    child.once('close', () => children.delete(child));
    const isReady = async () => {
      if (child.exitCode !== null) throw new Error(`${this.name} ended:\n${this.output.slice(-4_000)}`);
      return fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    await eventually(`${this.name} is ready`, isReady, 120_000);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child?.kill(signal);
    return this.#exited;
  }

  async metric(name: string, labels: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name}{`) && one.includes(labels));
    return Number(line?.split(' ').at(-1) ?? 0);
  }
}

/**
 * Two of each of the six processes on RabbitMQ and MongoDB's wire protocol. They find each other by lists of addresses, as `…_URL` may be given; a name with two addresses
 * would do as well. SMTP server and payment simulator live in the test's process.
 */
export class Replicas {
  readonly sink: SmtpSink;
  readonly simulatorUrl: string;
  readonly amqpUrl: string;
  readonly all: readonly Replica[];
  readonly #parts: readonly { stop(): Promise<void> }[];
  readonly #dataDir: string;

  private constructor(o: {
    sink: SmtpSink;
    all: readonly Replica[];
    parts: readonly { stop(): Promise<void> }[];
    dataDir: string;
    readonly simulatorUrl: string;
    readonly amqpUrl: string;
  }) {
    this.sink = o.sink;
    this.all = o.all;
    this.#parts = o.parts;
    this.#dataDir = o.dataDir;
    this.simulatorUrl = o.simulatorUrl;
    this.amqpUrl = o.amqpUrl;
  }

  static async start(engines: RealEngines, settings: Record<string, string> = {}): Promise<Replicas> {
    const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-replicas-'));
    const addresses = await engines.fresh();
    const portNames = [...processNames.map((name) => processEntries[name].portName), 'GATEWAY_METRICS_PORT'] as const;
    const ports = await freePorts(2 * portNames.length + 1);
    const portsOf = (at: number) =>
      Object.fromEntries(portNames.map((name, index) => [name, String(ports[at * portNames.length + index])]));
    const instances = [portsOf(0), portsOf(1)];
    const urlsOf = (name: ProcessName) =>
      instances.map((one) => `http://127.0.0.1:${one[processEntries[name].portName]}`);

    const sink = new SmtpSink();
    await sink.start();
    const sandbox = await startSimulator(dataDir, ports.at(-1) as number, urlsOf('gateway')[0] as string);
    const common = withSecrets(
      {
        ...testSettings,
        ...addresses,
        LOG_LEVEL: 'info',
        ADMIN_ONLY_IF_NONE: 'on',
        PUBLIC_URL: urlsOf('gateway')[0] as string,
        SMTP_URL: sink.url,
        STRIPE_API_URL: sandbox.url,
        STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
        AUTH_URL: urlsOf('auth').join(','),
        USER_URL: urlsOf('user').join(','),
        PAYMENT_URL: urlsOf('payment').join(','),
        PROCESSOR_URL: urlsOf('payment-processor').join(','),
        MAILER_URL: urlsOf('mailer').join(','),
        ...settings,
      },
      dataDir,
    ) as Record<string, string>;
    const all = instances.flatMap((own) =>
      processNames.map(
        (name) => new Replica(name, `http://127.0.0.1:${own[processEntries[name].portName]}`, { ...common, ...own }),
      ),
    );
    const replicas = new Replicas({
      sink,
      all,
      dataDir,
      parts: [...sandbox.parts, sink],
      simulatorUrl: sandbox.url,
      amqpUrl: addresses.AMQP_URL,
    });
    try {
      await Promise.all(all.map((replica) => replica.start()));
      await eventually('the first admin', () => /"outcome":"created"/.test(replicas.log()), 60_000);
    } catch (error) {
      await replicas.dispose();
      throw error;
    }
    return replicas;
  }

  of(name: ProcessName): readonly [Replica, Replica] {
    return this.all.filter((replica) => replica.name === name) as unknown as readonly [Replica, Replica];
  }

  get gatewayUrls(): string[] {
    return this.of('gateway').map(({ url }) => url);
  }

  /** What all of them logged. */
  log(): string {
    return this.all.map(({ output }) => output).join('\n');
  }

  async dispose(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.end()));
    for (const part of this.#parts) await part.stop();
    rmSync(this.#dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function startSimulator(dataDir: string, port: number, gatewayUrl: string) {
  const webhookSecret = 'secret of the simulated webhook';
  const logger = createLogger({ service: 'simulator', level: 'silent' });
  const webhookUrl = `${gatewayUrl}/webhook/stripe`;
  const simulator: StripeSimulator = createStripeSimulator({
    dataDir,
    logger,
    clock: systemClock,
    webhookUrl,
    webhookSecret,
  });
  const app = express().use('/simulator', simulator.router);
  const server: Listener = createListener({ name: 'simulator', app, host: '127.0.0.1', port });
  await simulator.start();
  await server.start();
  return { url: `http://127.0.0.1:${port}/simulator`, webhookSecret, parts: [server, simulator] };
}
