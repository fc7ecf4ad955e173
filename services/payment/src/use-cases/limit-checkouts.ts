import { clientNetwork, Problem } from '@latchkey/kit';
import { guardDatabase, isDuplicateKey } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';

const WINDOW_MS = 60_000;
const CHECKOUTS = 20;

/**
 * Counts one checkout of an address (an IPv6 one by its /64): 20 a minute, times RATE_LIMIT_SCALE, in a minute that begins with the first one. Kept in the database, so that
 * replicas share it and a restart does not forget it (S22). Throws `rate-limited`.
 */
export function limitCheckouts({ config, clock, models }: Pick<PaymentDependencies, 'config' | 'clock' | 'models'>) {
  const most = Math.max(1, Math.round(CHECKOUTS * config.rateLimitScale));

  async function count(address: string): Promise<{ count: number; startedAt: Date }> {
    for (;;) {
      const now = clock.now();
      const begun = await models.rateCounters
        .findOneAndUpdate(
          { _id: address, startedAt: { $gt: new Date(now - WINDOW_MS) } },
          { $inc: { count: 1 } },
          { returnDocument: 'after' },
        )
        .lean();
      if (begun !== null) return begun;
      const window = { startedAt: new Date(now), count: 1, expiresAt: new Date(now + 2 * WINDOW_MS) };
      try {
        const filter = { _id: address, startedAt: { $lte: new Date(now - WINDOW_MS) } };
        await models.rateCounters.updateOne(filter, { $set: window }, { upsert: true });
        return window;
      } catch (error) {
        // Another request began the same minute: count in it.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  return async (address: string): Promise<void> => {
    const { count: begun, startedAt } = await guardDatabase(() => count(clientNetwork(address)));
    if (begun <= most) return;
    const retryAfter = Math.max(1, Math.ceil((startedAt.getTime() + WINDOW_MS - clock.now()) / 1000));
    throw new Problem('rate-limited', { limit: 'checkouts-per-address', retryAfter });
  };
}
