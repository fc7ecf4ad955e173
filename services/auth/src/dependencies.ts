import type { userApi } from '@latchkey/contracts';
import type { ClientOf, Clock, Logger, Sealer } from '@latchkey/kit';
import type { Aggregates, Windows } from '@latchkey/persistence';
import type { AuthConfig } from './config.js';
import type { Limits } from './domain/limits.js';
import type { PriorSeal } from './domain/prior-password.js';
import type { CredentialsStore } from './models/credentials-store.js';
import type { AuthModels } from './models/models.js';
import type { Passwords } from './passwords/passwords.js';
import type { SessionTokenIssuer } from './session-tokens/session-token-issuer.jsonwebtoken.js';
import type { Attempts } from './throttling/attempts.js';

/** What the use cases work with. */
export interface Dependencies {
  readonly config: AuthConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly users: ClientOf<typeof userApi>;
  readonly models: AuthModels;
  readonly aggregates: Aggregates;
  readonly credentials: CredentialsStore;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly windows: Windows;
  readonly limits: Limits;
  readonly sealer: Sealer;
  readonly priorSeal: PriorSeal;
  readonly tokens: SessionTokenIssuer;
  /** Names an email in counters and logs without telling it. */
  readonly accountKey: (email: string) => string;
  /** Resolves after so many ms of real time. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Called by name between the steps of a reset and a change, so that tests can stop there as a crash would (F2). */
  readonly crashPoint: (name: string) => void | Promise<void>;
}
