import { userApi } from '@latchkey/contracts';
import { createServiceProcess, loadProcessConfig, type ProcessOptions, type ServiceProcess } from '@latchkey/hosting';
import { type Environment, loadConfig, loadTogether, settings } from '@latchkey/kit';
import { createAuth } from './auth.js';
import { loadAuthConfig } from './config.js';
import { createPasswordHasher } from './passwords/password-hasher.child-process.js';

export interface AuthProcessOptions extends ProcessOptions {
  /** Arguments to Node for the hashing process (tests run it from TypeScript). */
  readonly hasherArguments?: readonly string[];
}

export function loadAuthProcessConfig(environment: Environment) {
  return loadTogether(
    {
      process: loadProcessConfig(settings.AUTH_PORT),
      auth: loadAuthConfig,
      neighbours: (given) => loadConfig({ userUrl: settings.USER_URL }, given),
    },
    environment,
  );
}

/** Auth as a process of its own. Throws `ConfigError` with all faults. */
export function createAuthProcess(environment: Environment, options: AuthProcessOptions = {}): ServiceProcess {
  const { process, auth: config, neighbours } = loadAuthProcessConfig(environment);
  return createServiceProcess({
    name: 'auth',
    config: process,
    options,
    compose({ loggerFor, client }) {
      const users = client(userApi, 'user', neighbours.userUrl);
      const hasher = createPasswordHasher({
        cost: config.bcryptCost,
        logger: loggerFor('hasher'),
        ...(options.hasherArguments && { execArgv: options.hasherArguments }),
      });
      return { before: [hasher], service: (parts) => createAuth({ ...parts, config, users, hasher }) };
    },
  });
}
