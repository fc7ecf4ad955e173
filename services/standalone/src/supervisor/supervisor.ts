import {
  type Component,
  createLifecycle,
  createLogger,
  type Environment,
  type RunningProcess,
  systemClock,
} from '@latchkey/kit';
import { type Addresses, announcement } from '../announcement.js';
import { chooseFirstAdmin, forgetFirstAdmin } from '../first-admin.js';
import { createSandboxServer } from '../sandbox-server.js';
import { openMailbox, openPaymentSimulator } from '../stand-ins.js';
import { createAnnouncer } from './announcer.js';
import { processTable, withoutForeignSecrets } from './process-table.js';
import { createSupervisedProcess } from './supervised-process.js';
import { loadSupervisorConfig, type SupervisorConfig } from './supervisor-config.js';

export interface SupervisorOptions {
  /** Takes what the processes write, line by line, and at the end of the start where to go. */
  readonly write: (text: string) => void;
}

/**
 * Runs the six processes side by side on this machine, on the MongoDB and the RabbitMQ that MONGODB_URI and AMQP_URL name, and starts those that die again.
 * Mailbox and payment simulator live in this process unless real ones are configured. Throws `ConfigError` with all faults before anything is spawned.
 */
export function createSupervisor(given: Environment, { write }: SupervisorOptions): RunningProcess {
  const config = loadSupervisorConfig(given);
  const loggerFor = (service: string) => createLogger({ service, level: config.logLevel });
  const logger = loggerFor('supervisor');
  // The gateway has half of the time, the others have what is left: see `childrenOf`.
  const lifecycle = createLifecycle({ logger, stopLimit: 20 });
  const common = { dataDir: config.dataDir, clock: systemClock, loggerFor };

  const mail = config.mailbox ? openMailbox(common) : undefined;
  const payments = config.simulator ? openPaymentSimulator({ ...common, gatewayUrl: gatewayUrl(config) }) : undefined;
  const mounted = [mail?.mounted, payments?.mounted].filter((one) => one !== undefined);
  const sandbox = createSandboxServer({ mounted, host: '127.0.0.1', port: config.sandboxPort });
  const sandboxUrl = () => `http://127.0.0.1:${sandbox.port}`;

  const admin = chooseFirstAdmin({ email: config.adminEmail, password: config.adminPassword }, config.dataDir);
  const environment = (): Environment => ({
    ...config.environment,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ADMIN_PASSWORD_FILE: undefined,
    ...(admin.made && { ADMIN_ONLY_IF_NONE: 'on' }),
    ...(mail && { SMTP_URL: `smtp://127.0.0.1:${mail.mailbox.smtpPort}` }),
    ...(payments && {
      STRIPE_API_URL: `${sandboxUrl()}${payments.mounted.path}`,
      STRIPE_WEBHOOK_SECRET: payments.webhookSecret,
      STRIPE_WEBHOOK_SECRET_FILE: undefined,
    }),
  });

  const addresses = (): Addresses => ({
    url: gatewayUrl(config),
    publicUrl: config.publicUrl,
    pages: config.pages,
    mailboxUrl: mail && `${sandboxUrl()}${mail.mounted.path}`,
    simulatorUrl: payments && `${sandboxUrl()}${payments.mounted.path}`,
  });
  const announcer = createAnnouncer({
    gatewayUrl: gatewayUrl(config),
    announce(created) {
      const engines = { database: 'MongoDB (MONGODB_URI)', queue: 'RabbitMQ (AMQP_URL)' };
      logger.flush(() => write(announcement(addresses(), created ? admin : undefined, engines)));
      if (admin.made) forgetFirstAdmin(config.dataDir);
    },
  });
  const width = Math.max(...processTable.map(({ name }) => name.length));
  const children = processTable.map((entry) =>
    createSupervisedProcess({
      name: entry.name,
      module: entry.module,
      environment: () => ({
        ...withoutForeignSecrets(entry, environment()),
        // Only the gateway may be reached from elsewhere.
        ...(entry.name !== 'gateway' && { HOST: '127.0.0.1' }),
      }),
      logger,
      write: (line) => write(`${entry.name.padEnd(width)} | ${line}\n`),
      onMessage: announcer.hear,
    }),
  );

  if (mail) lifecycle.add(mail.mailbox);
  if (payments) lifecycle.add(payments.component);
  if (mounted.length > 0) lifecycle.add(sandbox);
  lifecycle.add(childrenOf(children));
  lifecycle.add(announcer);
  return { lifecycle, logger };
}

const gatewayUrl = (config: SupervisorConfig) => `http://127.0.0.1:${config.port}`;

/** All at once; at the end the first one, the gateway, before the others, so that requests under way are finished. */
function childrenOf(children: readonly Component[]): Component {
  const [gateway, ...services] = children;
  return {
    name: 'processes',
    async start() {
      await Promise.all(children.map((child) => child.start()));
    },
    async stop() {
      await gateway?.stop();
      await Promise.all(services.map((child) => child.stop()));
    },
  };
}
