import { type AuthConfig, loadAuthConfig } from '@latchkey/auth';
import { type GatewayConfig, loadGatewayConfig } from '@latchkey/gateway';
import {
  ConfigError,
  type ConfigOf,
  type Environment,
  loadConfig,
  loadTogether,
  settings,
  tracingSettings,
} from '@latchkey/kit';
import { loadMailerConfig, type MailerConfig } from '@latchkey/mailer';
import { loadPaymentConfig, type PaymentConfig } from '@latchkey/payment';
import { loadUserConfig, lonelyAdminSetting, type UserConfig } from '@latchkey/user';
import { withSecrets } from './secrets.js';

/** The host's own settings: where data lies, on which ports each service shows its health, and which engines are not the embedded ones. */
const hostSettings = {
  dataDir: settings.DATA_DIR,
  logLevel: settings.LOG_LEVEL,
  authPort: settings.AUTH_PORT,
  userPort: settings.USER_PORT,
  paymentPort: settings.PAYMENT_PORT,
  processorPort: settings.PROCESSOR_PORT,
  mailerPort: settings.MAILER_PORT,
  bodyLimit: settings.BODY_LIMIT,
  mongodbUri: settings.MONGODB_URI,
  buildIndexes: settings.BUILD_INDEXES,
  amqpUrl: settings.AMQP_URL,
  smtpUrl: settings.SMTP_URL,
  stripeSecretKey: settings.STRIPE_SECRET_KEY,
  stripeWebhookSecrets: settings.STRIPE_WEBHOOK_SECRET,
  stripeApiUrl: settings.STRIPE_API_URL,
  serviceSecrets: settings.SERVICE_SECRET,
  adminEmail: settings.ADMIN_EMAIL,
  adminPassword: settings.ADMIN_PASSWORD,
  bcryptCost: settings.BCRYPT_COST,
  gatewayMetricsPort: settings.GATEWAY_METRICS_PORT,
  ...tracingSettings,
};

export interface StandaloneConfig {
  readonly host: ReturnType<typeof loadHost>;
  readonly auth: AuthConfig;
  readonly user: UserConfig;
  readonly payment: PaymentConfig;
  readonly mailer: MailerConfig;
  readonly gateway: GatewayConfig;
}

function loadHost(environment: Environment) {
  const host = loadConfig(hostSettings, environment);
  const production = environment.NODE_ENV === 'production';
  const faults = combinationFaults(host, production);
  if (faults.length > 0) throw new ConfigError(faults);
  return { ...host, production };
}

/** What no single setting shows: settings that go together, and stand-ins that would swallow mails and payments in production. */
function combinationFaults(host: ConfigOf<typeof hostSettings>, production: boolean): ConfigError['faults'] {
  const trialOnly = (standIn: string) => `is required with NODE_ENV=production: ${standIn} is for trials`;
  const faults = [
    lonelyAdminSetting({ email: host.adminEmail, password: host.adminPassword }),
    host.stripeSecretKey &&
      !host.stripeWebhookSecrets && {
        setting: 'STRIPE_WEBHOOK_SECRET',
        message: 'is required with STRIPE_SECRET_KEY',
      },
    production && !host.smtpUrl && { setting: 'SMTP_URL', message: trialOnly('the built-in mailbox') },
    production &&
      !host.stripeSecretKey && { setting: 'STRIPE_SECRET_KEY', message: trialOnly('the payment simulator') },
  ];
  return faults.filter((fault) => typeof fault === 'object');
}

/** Reads every service's configuration; secrets that are missing are made in DATA_DIR first. Throws one `ConfigError` with all faults. */
export function loadStandaloneConfig(given: Environment): StandaloneConfig {
  const { dataDir } = loadConfig({ dataDir: settings.DATA_DIR }, given);
  const environment = withSecrets(given, dataDir);
  return loadTogether(
    {
      host: loadHost,
      auth: loadAuthConfig,
      user: loadUserConfig,
      payment: loadPaymentConfig,
      mailer: loadMailerConfig,
      gateway: loadGatewayConfig,
    },
    environment,
  );
}
