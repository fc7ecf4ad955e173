import type { paymentApi } from '@latchkey/contracts';
import { type ClientOf, ConfigError } from '@latchkey/kit';
import type { UserConfig } from './config.js';

/** The part of payment that a deletion asks. */
export type BillingClient = ClientOf<Pick<typeof paymentApi, 'billingState'>>;

/** Whom to ask before a deletion: nobody, unless the policy is to refuse. Throws `ConfigError` when that is the policy and there is nobody to ask. */
export function chooseBillingClient(
  policy: UserConfig['billingOnDelete'],
  given: BillingClient | undefined,
): BillingClient | null {
  if (policy !== 'refuse') return null;
  if (given !== undefined) return given;
  const message = 'is "refuse", but this user service was given no payment service that it could ask';
  throw new ConfigError([{ setting: 'BILLING_ON_DELETE', message }]);
}
