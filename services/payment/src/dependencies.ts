import type { userApi } from '@latchkey/contracts';
import type { ClientOf, Clock, Logger } from '@latchkey/kit';
import type { Aggregates } from '@latchkey/persistence';
import type { PaymentConfig } from './config.js';
import type { PaymentModels } from './models/payment-models.js';
import type { PaymentProvider } from './payment-provider.js';

/** What the use cases of both entries work with. */
export interface PaymentDependencies {
  readonly config: PaymentConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly models: PaymentModels;
  readonly aggregates: Aggregates;
  readonly provider: PaymentProvider;
  readonly users: Pick<ClientOf<typeof userApi>, 'findUserById'>;
  /** Tests stop the process at a named place. */
  readonly crashPoint: CrashPoint;
}

export type CrashPoint = (
  place:
    | 'webhook.before-store'
    | 'webhook.stored'
    | 'checkout.stored'
    | 'checkout.session-made'
    | 'checkout.session-stored'
    | 'customer.stored'
    | 'customer.made'
    | 'settle.before'
    | 'settle.done',
) => void | Promise<void>;
