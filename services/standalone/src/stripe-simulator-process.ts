import { mkdirSync } from 'node:fs';
import {
  ConfigError,
  createLifecycle,
  createLogger,
  type Environment,
  loadConfig,
  needed,
  type RunningProcess,
  settings,
  systemClock,
} from '@latchkey/kit';
import { createSandboxServer } from './sandbox-server.js';
import { openPaymentSimulator } from './stand-ins.js';

const picked = {
  dataDir: settings.DATA_DIR,
  logLevel: settings.LOG_LEVEL,
  host: settings.HOST,
  port: settings.SANDBOX_PORT,
  publicUrl: settings.SANDBOX_URL,
  gatewayUrl: settings.GATEWAY_URL,
  apiUrl: settings.STRIPE_API_URL,
  webhookSecrets: needed(settings.STRIPE_WEBHOOK_SECRET),
};

/**
 * The payment simulator as a process of its own, for a trial in containers. It answers to the host name of STRIPE_API_URL too, which is how payment calls it.
 * Throws `ConfigError`; always in production.
 */
export function createStripeSimulatorProcess(environment: Environment): RunningProcess {
  const config = loadConfig(picked, environment);
  if (environment.NODE_ENV === 'production')
    throw new ConfigError([{ setting: 'NODE_ENV', message: 'is production: the payment simulator is for trials' }]);
  const loggerFor = (service: string) => createLogger({ service, level: config.logLevel });
  const logger = loggerFor('stripe-simulator');
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const { component, mounted } = openPaymentSimulator({
    dataDir: config.dataDir,
    clock: systemClock,
    loggerFor,
    gatewayUrl: config.gatewayUrl,
    webhookSecret: config.webhookSecrets[0],
    publicUrl: `${config.publicUrl}/simulator`,
    hostNames: config.apiUrl === undefined ? [] : [new URL(config.apiUrl).hostname],
  });
  const lifecycle = createLifecycle({ logger });
  lifecycle.add(component);
  lifecycle.add(createSandboxServer({ mounted: [mounted], host: config.host, port: config.port }));
  return { lifecycle, logger };
}
