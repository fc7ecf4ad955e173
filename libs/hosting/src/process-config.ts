import {
  type ConfigOf,
  type Environment,
  loadConfig,
  needed,
  type Setting,
  settings,
  tracingSettings,
} from '@latchkey/kit';
import { type CrashPoint, crashPointFrom } from './crash-point.js';

const shared = {
  logLevel: settings.LOG_LEVEL,
  host: settings.HOST,
  bodyLimit: settings.BODY_LIMIT,
  serviceSecrets: settings.SERVICE_SECRET,
  ...tracingSettings,
  mongodbUri: needed(settings.MONGODB_URI),
  buildIndexes: settings.BUILD_INDEXES,
  amqpUrl: needed(settings.AMQP_URL),
};

/** What every service needs to know to be a process of its own. */
export interface ProcessConfig extends ConfigOf<typeof shared> {
  readonly port: number;
  readonly production: boolean;
  readonly crashPoint: CrashPoint | undefined;
}

/** The loader for the service whose own routes are on `port`. It throws `ConfigError` with every fault. */
export function loadProcessConfig(port: Setting<number>): (environment: Environment) => ProcessConfig {
  return (environment) => ({
    ...loadConfig({ ...shared, port }, environment),
    production: environment.NODE_ENV === 'production',
    crashPoint: crashPointFrom(environment),
  });
}
