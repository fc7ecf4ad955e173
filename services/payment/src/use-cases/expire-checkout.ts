import type { Change } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { advance } from '../domain/checkout-progress.js';
import type { CheckoutDocument } from '../models/checkout.js';

const DAY_MS = 24 * 3600 * 1000;

/** What ends a checkout that nobody paid for: it is removed some time later, since anybody can begin one. `null`: it has ended already. */
export function expiry(
  checkout: CheckoutDocument,
  { clock, config }: Pick<PaymentDependencies, 'clock' | 'config'>,
): Change | null {
  if (checkout.status === 'expired' || advance(checkout.status, 'expired') !== 'expired') return null;
  const now = clock.now();
  return {
    $set: {
      status: 'expired',
      settledAt: new Date(now),
      removeAfter: new Date(now + config.retentionDays * DAY_MS),
    },
    $unset: { attempt: 1, claimedUntil: 1 },
  };
}

/** Ends a checkout that can no longer be paid. With `unfinished`, only one for which the provider never made a page. */
export function expireCheckout(deps: Pick<PaymentDependencies, 'aggregates' | 'clock' | 'config' | 'models'>) {
  return async (id: string, options: { unfinished: boolean; correlationId: string }): Promise<void> => {
    await deps.aggregates.change(
      deps.models.checkouts,
      { _id: id },
      (current: CheckoutDocument) =>
        options.unfinished && current.sessionId !== undefined ? null : expiry(current, deps),
      options.correlationId,
    );
  };
}
