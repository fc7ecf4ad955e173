import { type ConfigOf, type Environment, loadConfig, loadTogether, needed, settings } from '@latchkey/kit';
import { withSecrets } from '../secrets.js';
import { processTable, withoutForeignSecrets } from './process-table.js';

const picked = {
  dataDir: settings.DATA_DIR,
  logLevel: settings.LOG_LEVEL,
  host: settings.HOST,
  port: settings.PORT,
  publicUrl: settings.PUBLIC_URL,
  pages: settings.PAGES,
  sandboxPort: settings.SANDBOX_PORT,
  mongodbUri: needed(settings.MONGODB_URI),
  amqpUrl: needed(settings.AMQP_URL),
  adminEmail: settings.ADMIN_EMAIL,
  adminPassword: settings.ADMIN_PASSWORD,
};

export interface SupervisorConfig extends ConfigOf<typeof picked> {
  /** Whether the built-in mailbox and payment simulator stand in for the real ones; never in production. */
  readonly mailbox: boolean;
  readonly simulator: boolean;
  /** What every process is given, the secrets made here included. */
  readonly environment: Environment;
}

/** Secrets that are missing are made in DATA_DIR first, as for a standalone start. Throws `ConfigError` with the faults of all six processes. */
export function loadSupervisorConfig(given: Environment): SupervisorConfig {
  const { dataDir } = loadConfig({ dataDir: settings.DATA_DIR }, given);
  const complete = withSecrets(given, dataDir);
  const trial = complete.NODE_ENV !== 'production';
  const isGiven = (name: string) => !!complete[name]?.trim() || !!complete[`${name}_FILE`]?.trim();
  const mailbox = trial && !isGiven('SMTP_URL');
  const simulator = trial && !isGiven('STRIPE_SECRET_KEY') && !isGiven('STRIPE_API_URL');
  const environment: Environment = { ...complete, ...urls(complete) };
  const standIns: Environment = {
    ...environment,
    // Only to see whether the rest is right: where they listen is known once they run.
    ...(mailbox && { SMTP_URL: 'smtp://127.0.0.1:25' }),
    ...(simulator && { STRIPE_API_URL: 'http://127.0.0.1', STRIPE_WEBHOOK_SECRET: 'simulated' }),
  };
  const { own } = loadTogether(
    {
      own: (all) => loadConfig(picked, all),
      ...Object.fromEntries(
        processTable.map((entry) => [entry.name, () => entry.loadConfig(withoutForeignSecrets(entry, standIns))]),
      ),
    },
    environment,
  );
  return { ...(own as ConfigOf<typeof picked>), mailbox, simulator, environment };
}

/** Where the processes find each other: on this machine, whatever the environment says of others. */
function urls(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(servicePorts).map(([service, port]) => [
      `${service}_URL`,
      `http://127.0.0.1:${environment[`${service}_PORT`]?.trim() || port.default}`,
    ]),
  );
}

const servicePorts = {
  AUTH: settings.AUTH_PORT,
  USER: settings.USER_PORT,
  PAYMENT: settings.PAYMENT_PORT,
  PROCESSOR: settings.PROCESSOR_PORT,
  MAILER: settings.MAILER_PORT,
};
