import {
  type Component,
  ConfigError,
  type ConfigOf,
  type Environment,
  type Logger,
  loadConfig,
  Problem,
  settings,
} from '@latchkey/kit';
import type { FirstAdminWish } from './use-cases/ensure-first-admin.js';
import type { UserService } from './user.js';

const picked = {
  email: settings.ADMIN_EMAIL,
  password: settings.ADMIN_PASSWORD,
  onlyIfNone: settings.ADMIN_ONLY_IF_NONE,
};

/** The first admin that the settings ask for, if any. */
export function loadFirstAdmin(environment: Environment): FirstAdminWish | undefined {
  const { email, password, onlyIfNone } = loadConfig(picked, environment);
  const fault = lonelyAdminSetting({ email, password });
  if (fault) throw new ConfigError([fault]);
  return email && password ? { email, password, onlyIfNone } : undefined;
}

/** Email and password of the first admin mean nothing without each other. */
export function lonelyAdminSetting(
  given: Pick<ConfigOf<typeof picked>, 'email' | 'password'>,
): ConfigError['faults'][number] | undefined {
  if (!given.email === !given.password) return undefined;
  return {
    setting: given.email ? 'ADMIN_PASSWORD' : 'ADMIN_EMAIL',
    message: 'is needed too: ADMIN_EMAIL and ADMIN_PASSWORD go together',
  };
}

/** A refused email or password of the first admin, said as every other fault of the configuration; other errors as they are. */
export function asFaultOfSetting(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'validation-failed') return error;
  return new ConfigError(
    (error.errors ?? []).map(({ path, message }) => ({
      setting: path === 'body.email' ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD',
      message,
    })),
  );
}

/**
 * Creates the first admin beside everything else: auth may be away for long, and nothing else needs to wait for it. Settings that are refused end the process,
 * as an unhandled rejection.
 */
export function createFirstAdminInBackground(o: {
  readonly users: Pick<UserService, 'ensureFirstAdmin'>;
  readonly wish: FirstAdminWish;
  readonly logger: Logger;
  /** Told how it ended. */
  readonly done?: ((outcome: 'created' | 'exists') => void) | undefined;
}): Component {
  let stopped = false;

  async function create(): Promise<void> {
    while (!stopped) {
      try {
        const outcome = await o.users.ensureFirstAdmin(o.wish);
        o.logger.info({ outcome }, 'first admin');
        return o.done?.(outcome);
      } catch (error) {
        if (stopped) return;
        const said = asFaultOfSetting(error);
        if (said instanceof ConfigError) throw said;
        // It has waited for a minute already.
        o.logger.warn({ err: error }, 'the first admin cannot be created yet');
      }
    }
  }

  return {
    name: 'first admin',
    async start() {
      void create();
    },
    async stop() {
      stopped = true;
    },
  };
}
