import type { authApi, Endpoint, OutputOf, ParsedInput } from '@latchkey/contracts';
import type { CallContext, ClientOf, Clock, Logger, Sealer } from '@latchkey/kit';
import type { Aggregates, Windows } from '@latchkey/persistence';
import type { BillingClient } from './billing-client.js';
import type { UserAccess } from './domain/rights.js';
import type { UserModels } from './models/models.js';

/** What the use cases work with. */
export interface Dependencies {
  readonly models: UserModels;
  readonly aggregates: Aggregates;
  readonly windows: Windows;
  readonly auth: ClientOf<typeof authApi>;
  /** Asked before a deletion; null when open billing does not stand in its way. */
  readonly billing: BillingClient | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sealer: Sealer;
  readonly access: UserAccess;
  /** Multiplies the limits of wrong confirmation tokens. */
  readonly rateLimitScale: number;
  /** Called by name between the steps of a creation, so that tests can stop there as a crash would. */
  readonly crashPoint: (name: string) => void | Promise<void>;
}

/** Runs one operation: parsed input in, the success body out; throws `Problem` to refuse. */
export type UseCase<E extends Endpoint> = (input: ParsedInput<E>, context: CallContext) => Promise<OutputOf<E>>;
