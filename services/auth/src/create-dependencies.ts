import type { userApi } from '@latchkey/contracts';
import { type ClientOf, type Clock, createSealer, type Logger, type Sealer } from '@latchkey/kit';
import { type Aggregates, createWindows } from '@latchkey/persistence';
import type { AuthConfig } from './config.js';
import type { Dependencies } from './dependencies.js';
import { createAccountKey } from './domain/account-key.js';
import { limitsFor } from './domain/limits.js';
import { freeFailures } from './domain/login-delay.js';
import type { PriorSeal } from './domain/prior-password.js';
import { createCredentialsStore } from './models/credentials-store.js';
import type { AuthModels } from './models/models.js';
import type { PasswordHasher } from './passwords/password-hasher.js';
import { createPasswords } from './passwords/passwords.js';
import { createSessionTokenIssuer } from './session-tokens/session-token-issuer.jsonwebtoken.js';
import { createAttempts } from './throttling/attempts.js';
import { createFailureCounter } from './throttling/failure-counter.js';
import { createKnownAddresses } from './throttling/known-addresses.js';

export interface Given {
  readonly config: AuthConfig;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly users: ClientOf<typeof userApi>;
  readonly hasher: PasswordHasher;
  readonly models: AuthModels;
  readonly aggregates: Aggregates;
  readonly pause: Dependencies['pause'];
  readonly crashPoint: Dependencies['crashPoint'];
}

/** Puts together what the use cases work with, from what the process was given. */
export function createDependencies(given: Given): Dependencies {
  const { config, logger, clock, models, aggregates, hasher } = given;
  const { rateLimitScale: scale, bcryptCost: cost, peppers } = config;
  const sealer = createSealer(config.sealingKeys);
  const priorSeal = createPriorSeal(sealer, logger);
  const limits = limitsFor(scale);
  const windows = createWindows({ model: models.throttles, clock });
  const failures = createFailureCounter({ model: models.throttles, clock, scale });
  return {
    config,
    logger,
    clock,
    users: given.users,
    models,
    aggregates,
    credentials: createCredentialsStore({ model: models.credentials, aggregates, seal: priorSeal, clock }),
    passwords: createPasswords({ hasher, peppers, cost, clock }),
    attempts: createAttempts({
      windows,
      failures,
      known: createKnownAddresses({ model: models.knownAddresses, clock }),
      perAddress: limits.loginFailuresOfAddress,
      atOnce: freeFailures(scale),
      clock,
    }),
    windows,
    limits,
    sealer,
    priorSeal,
    tokens: createSessionTokenIssuer(config.jwtPrivateKeys),
    accountKey: createAccountKey(config.sealingKeys[0] as string),
    pause: given.pause,
    crashPoint: given.crashPoint,
  };
}

/** A prior hash that no key of ours opens any more cannot come back: the user sets a new password by a link. Said aloud, since a key was removed too early. */
function createPriorSeal(sealer: Sealer, logger: Logger): PriorSeal {
  const purpose = 'prior-hash';
  return {
    seal: (hash) => sealer.seal(hash, purpose),
    open(sealed) {
      try {
        return sealer.unseal(sealed, purpose);
      } catch (error) {
        logger.error({ err: error }, 'a prior password hash cannot be unsealed and is lost');
        return null;
      }
    },
  };
}
