import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAuthProcess } from '@latchkey/auth';
import { bindings } from '@latchkey/contracts';
import { openEmbeddedDatabase, openEmbeddedQueue } from '@latchkey/embedded';
import { createGatewayProcess } from '@latchkey/gateway';
import type { Engines } from '@latchkey/hosting';
import { createListener, createLogger, type RunningProcess, systemClock } from '@latchkey/kit';
import { createMailerProcess } from '@latchkey/mailer';
import { createPaymentProcess, createPaymentProcessorProcess } from '@latchkey/payment';
import { createMailbox, createStripeSimulator } from '@latchkey/sandbox';
import { withSecrets } from '@latchkey/standalone';
import { createUserProcess } from '@latchkey/user';
import express from 'express';
import { filesHolding } from './at-rest.js';
import { freePorts } from './free-ports.js';
import { Mailbox } from './mailbox.js';
import type { ProcessName } from './process-entries.js';
import { type System, systemAt, testSettings } from './system.js';

/** The compositions of the six processes in this one, speaking HTTP with each other, on SQLite files that they share as processes would. */
export interface EmbeddedProcesses extends System {
  /** Starts one; resolves when it is up. */
  start(name: ProcessName): Promise<void>;
  stopOne(name: ProcessName): Promise<void>;
  /** Where a service's own routes are. */
  urlOf(name: Exclude<ProcessName, 'gateway'>): string;
  /** While it is away, connecting to databases does not end. */
  setDatabaseAway(away: boolean): void;
}

const hook = resolve(__dirname, 'ts-hook.cjs');

export async function openEmbeddedProcesses(): Promise<EmbeddedProcesses> {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-processes-'));
  const lines: string[] = [];
  const logDestination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'debug', destination: logDestination });
  const ports = (await freePorts(8)).map(String) as [string, ...string[]];
  const [PORT, AUTH_PORT, USER_PORT, PAYMENT_PORT, PROCESSOR_PORT, MAILER_PORT, METRICS_PORT, sandboxPort] = ports;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const webhookSecret = 'secret of the simulated webhook';

  const mailbox = createMailbox({ dataDir, logger, clock: systemClock });
  const simulator = createStripeSimulator({
    dataDir,
    logger,
    clock: systemClock,
    webhookUrl: `http://127.0.0.1:${PORT}/webhook/stripe`,
    webhookSecret,
  });
  const app = express().use('/mailbox', mailbox.router).use('/simulator', simulator.router);
  const sandbox = createListener({ name: 'sandbox', app, host: '127.0.0.1', port: Number(sandboxPort) });
  for (const part of [mailbox, simulator, sandbox]) await part.start();

  const environment = withSecrets(
    {
      ...testSettings,
      ...{ PORT, AUTH_PORT, USER_PORT, PAYMENT_PORT, PROCESSOR_PORT, MAILER_PORT },
      GATEWAY_METRICS_PORT: METRICS_PORT,
      // Required, and not used: the engines are given.
      MONGODB_URI: 'mongodb://127.0.0.1:1',
      AMQP_URL: 'amqp://latchkey@127.0.0.1:1',
      SMTP_URL: `smtp://127.0.0.1:${mailbox.smtpPort}`,
      STRIPE_API_URL: `${sandboxUrl}/simulator`,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    },
    dataDir,
  );

  let away = false;
  let wake: (() => void)[] = [];
  const engines = (database: string): Engines => ({
    async connect(signal) {
      while (away) {
        await new Promise<void>((done, fail) => {
          wake.push(done);
          signal.addEventListener('abort', () => fail(signal.reason), { once: true });
        });
      }
      return openEmbeddedDatabase({ file: join(dataDir, `${database}.db`) });
    },
    queue: openEmbeddedQueue({
      file: join(dataDir, 'queue.db'),
      bindings: Object.values(bindings),
      clock: systemClock,
      logger,
      pollMs: 50,
    }),
  });
  const options = (database: string) => ({ engines: engines(database), logDestination });
  const compose: Record<ProcessName, () => RunningProcess> = {
    gateway: () => createGatewayProcess(environment, { logDestination }),
    auth: () => createAuthProcess(environment, { ...options('auth'), hasherArguments: ['-r', hook] }),
    user: () => createUserProcess(environment, options('user')),
    payment: () => createPaymentProcess(environment, options('payment')),
    'payment-processor': () => createPaymentProcessorProcess(environment, options('payment')),
    mailer: () => createMailerProcess(environment, options('mailer')),
  };
  const running = new Map<ProcessName, RunningProcess>();
  const stopOne = async (name: ProcessName) => {
    await running.get(name)?.lifecycle.stop();
    running.delete(name);
  };

  const system = systemAt({
    url: `http://127.0.0.1:${PORT}`,
    publicUrl: `http://localhost:${PORT}`,
    mailbox: new Mailbox(`${sandboxUrl}/mailbox`),
    dataDir,
    log: () => lines.join(''),
    atRest: async (text) => filesHolding(dataDir, text),
    async stop() {
      await Promise.all([...running.keys()].map(stopOne));
      for (const part of [sandbox, simulator, mailbox]) await part.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  });
  const portOf = {
    auth: AUTH_PORT,
    user: USER_PORT,
    payment: PAYMENT_PORT,
    'payment-processor': PROCESSOR_PORT,
    mailer: MAILER_PORT,
  };
  return {
    ...system,
    async start(name) {
      const composed = compose[name]();
      running.set(name, composed);
      await composed.lifecycle.start();
    },
    stopOne,
    urlOf: (name) => `http://127.0.0.1:${portOf[name]}`,
    setDatabaseAway(isAway) {
      away = isAway;
      for (const done of wake.splice(0)) done();
      wake = [];
    },
  };
}
