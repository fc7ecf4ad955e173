import { dirname, join } from 'node:path';
import { loadAuthProcessConfig } from '@latchkey/auth';
import { loadGatewayProcessConfig } from '@latchkey/gateway';
import { type Environment, settings } from '@latchkey/kit';
import { loadMailerProcessConfig } from '@latchkey/mailer';
import { loadPaymentProcessConfig } from '@latchkey/payment';
import { loadUserProcessConfig } from '@latchkey/user';

export interface ProcessEntry {
  readonly name: string;
  /** The module that node is told to run. */
  readonly module: string;
  /** The secrets among the settings that it gets; the others are kept from it. */
  readonly secrets: readonly (keyof typeof settings)[];
  /** Throws `ConfigError` when it could not start with these settings. */
  readonly loadConfig: (environment: Environment) => unknown;
}

const beside = (index: string, entry: string) => join(dirname(index), entry);
const everywhere = ['SERVICE_SECRET', 'OTEL_EXPORTER_OTLP_HEADERS'] as const;
const engines = [...everywhere, 'MONGODB_URI', 'AMQP_URL'] as const;

/** The six processes of the distributed system, in the order they stop. */
export const processTable: readonly ProcessEntry[] = [
  {
    name: 'gateway',
    module: beside(require.resolve('@latchkey/gateway'), 'main.js'),
    secrets: everywhere,
    loadConfig: loadGatewayProcessConfig,
  },
  {
    name: 'auth',
    module: beside(require.resolve('@latchkey/auth'), 'main.js'),
    secrets: [...engines, 'JWT_PRIVATE_KEYS', 'PASSWORD_PEPPER', 'SEALING_KEY'],
    loadConfig: loadAuthProcessConfig,
  },
  {
    name: 'user',
    module: beside(require.resolve('@latchkey/user'), 'main.js'),
    secrets: [...engines, 'SEALING_KEY', 'ADMIN_PASSWORD'],
    loadConfig: loadUserProcessConfig,
  },
  {
    name: 'payment',
    module: beside(require.resolve('@latchkey/payment'), 'main.js'),
    secrets: [...engines, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    loadConfig: (environment) => loadPaymentProcessConfig('payment', environment),
  },
  {
    name: 'payment-processor',
    module: beside(require.resolve('@latchkey/payment'), 'processor.main.js'),
    secrets: [...engines, 'STRIPE_SECRET_KEY'],
    loadConfig: (environment) => loadPaymentProcessConfig('payment-processor', environment),
  },
  {
    name: 'mailer',
    module: beside(require.resolve('@latchkey/mailer'), 'main.js'),
    secrets: [...engines, 'SEALING_KEY', 'SMTP_URL'],
    loadConfig: loadMailerProcessConfig,
  },
];

/** `environment` without the secrets that this process has no use for. */
export function withoutForeignSecrets(entry: ProcessEntry, environment: Environment): Environment {
  const kept = new Set<string>(entry.secrets.flatMap((name) => [name, `${name}_FILE`]));
  const foreign = Object.entries(settings)
    .filter(([, setting]) => setting.secret)
    .flatMap(([name]) => [name, `${name}_FILE`])
    .filter((name) => !kept.has(name));
  const own = { ...environment };
  for (const name of foreign) delete own[name];
  return own;
}
