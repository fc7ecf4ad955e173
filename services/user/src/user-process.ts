import { authApi, paymentApi } from '@latchkey/contracts';
import { createServiceProcess, loadProcessConfig, type ProcessOptions, type ServiceProcess } from '@latchkey/hosting';
import { type Environment, loadConfig, loadTogether, settings } from '@latchkey/kit';
import { loadUserConfig } from './config.js';
import { createFirstAdminInBackground, loadFirstAdmin } from './first-admin.js';
import { createUser } from './user.js';

export interface UserProcessOptions extends ProcessOptions {
  /** Told how the creation of the first admin ended. */
  readonly onFirstAdmin?: (outcome: 'created' | 'exists') => void;
}

export function loadUserProcessConfig(environment: Environment) {
  return loadTogether(
    {
      process: loadProcessConfig(settings.USER_PORT),
      user: loadUserConfig,
      firstAdmin: loadFirstAdmin,
      neighbours: (given) => loadConfig({ authUrl: settings.AUTH_URL, paymentUrl: settings.PAYMENT_URL }, given),
    },
    environment,
  );
}

/** The user service as a process of its own; it creates the first admin if one is configured. Throws `ConfigError` with all faults. */
export function createUserProcess(environment: Environment, options: UserProcessOptions = {}): ServiceProcess {
  const { process, user: config, firstAdmin, neighbours } = loadUserProcessConfig(environment);
  return createServiceProcess({
    name: 'user',
    config: process,
    options,
    compose({ loggerFor, client }) {
      const auth = client(authApi, 'auth', neighbours.authUrl);
      const billing = client(paymentApi, 'payment', neighbours.paymentUrl);
      const logger = loggerFor('user');
      return {
        service: (parts) => createUser({ ...parts, config, auth, billing }),
        ...(firstAdmin && {
          after: (users) =>
            createFirstAdminInBackground({ users, wish: firstAdmin, logger, done: options.onFirstAdmin }),
        }),
      };
    },
  });
}
