import { clientNetwork } from '@latchkey/kit';
import { createWindows, guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';

const CHECKOUTS = 20;
const SECONDS = 60;

/**
 * Counts one checkout of an address (an IPv6 one by its /64): 20 a minute, times RATE_LIMIT_SCALE, in a minute that begins with the first one. Throws `rate-limited`.
 */
export function limitCheckouts({ config, clock, models }: Pick<PaymentDependencies, 'config' | 'clock' | 'models'>) {
  const windows = createWindows({ model: models.throttles, clock });
  const most = Math.max(1, Math.round(CHECKOUTS * config.rateLimitScale));
  const limit = { name: 'checkouts-per-address', most, seconds: SECONDS };
  return (address: string): Promise<void> => guardDatabase(() => windows.take(limit, clientNetwork(address)));
}
