import { type AuthConfig, loadAuthConfig } from '@latchkey/auth';
import { type GatewayConfig, loadGatewayConfig } from '@latchkey/gateway';
import { ConfigError, type Environment, loadConfig, settings } from '@latchkey/kit';
import { loadMailerConfig, type MailerConfig } from '@latchkey/mailer';
import { loadUserConfig, type UserConfig } from '@latchkey/user';
import { withSecrets } from './secrets.js';

/** The host's own settings: where data lies, on which ports each service shows its health, and which engines are not the embedded ones. */
const hostSettings = {
  dataDir: settings.DATA_DIR,
  logLevel: settings.LOG_LEVEL,
  authPort: settings.AUTH_PORT,
  userPort: settings.USER_PORT,
  mailerPort: settings.MAILER_PORT,
  publicUrl: settings.PUBLIC_URL,
  bodyLimit: settings.BODY_LIMIT,
  mongodbUri: settings.MONGODB_URI,
  amqpUrl: settings.AMQP_URL,
  smtpUrl: settings.SMTP_URL,
  serviceSecrets: settings.SERVICE_SECRET,
  adminEmail: settings.ADMIN_EMAIL,
  adminPassword: settings.ADMIN_PASSWORD,
  bcryptCost: settings.BCRYPT_COST,
  retentionDays: settings.RETENTION_DAYS,
};

export interface StandaloneConfig {
  readonly host: ReturnType<typeof loadHost>;
  readonly auth: AuthConfig;
  readonly user: UserConfig;
  readonly mailer: MailerConfig;
  readonly gateway: GatewayConfig;
}

function loadHost(environment: Environment) {
  const host = loadConfig(hostSettings, environment);
  if (!host.adminEmail !== !host.adminPassword) {
    const missing = host.adminEmail ? 'ADMIN_PASSWORD' : 'ADMIN_EMAIL';
    throw new ConfigError([{ setting: missing, message: 'is needed too: ADMIN_EMAIL and ADMIN_PASSWORD go together' }]);
  }
  return host;
}

/** Reads every service's configuration; secrets that are missing are made in DATA_DIR first. Throws one `ConfigError` with all faults. */
export function loadStandaloneConfig(given: Environment): StandaloneConfig {
  const { dataDir } = loadConfig({ dataDir: settings.DATA_DIR }, given);
  const environment = withSecrets(given, dataDir);
  const faults = new Map<string, ConfigError['faults'][number]>();
  const attempt = <T>(load: (environment: Environment) => T): T | undefined => {
    try {
      return load(environment);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.set(`${fault.setting} ${fault.message}`, fault);
      return undefined;
    }
  };
  const config = {
    host: attempt(loadHost),
    auth: attempt(loadAuthConfig),
    user: attempt(loadUserConfig),
    mailer: attempt(loadMailerConfig),
    gateway: attempt(loadGatewayConfig),
  };
  if (faults.size > 0) throw new ConfigError([...faults.values()]);
  return config as StandaloneConfig;
}
