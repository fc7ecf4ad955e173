import type { Product } from '@latchkey/contracts';
import { withinTime } from '@latchkey/kit';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { toProblem } from '../provider-faults.js';
import type { RefreshCatalogue } from './refresh-catalogue.js';

/** How long somebody waits for fresh products while older ones are at hand. */
const PATIENCE_WITH_STALE_MS = 3_000;
const PATIENCE_MS = 9_000;
/** After a failed fetch, older products are served without another try for so long. */
const REST_MS = 5_000;

/**
 * The products, at most PRODUCTS_CACHE_TTL seconds old while the provider answers, older ones while it does not. One fetch at a time. Throws
 * `provider-failed` or `provider-unavailable` when there is nothing to serve.
 */
export function listProducts(
  deps: Pick<PaymentDependencies, 'config' | 'clock' | 'logger' | 'models' | 'provider'>,
  refresh: RefreshCatalogue,
) {
  let underWay: Promise<readonly Product[]> | undefined;
  let restUntil = 0;

  function fetch(): Promise<readonly Product[]> {
    underWay ??= refresh({ within: PATIENCE_MS })
      .catch((error) => {
        restUntil = performance.now() + REST_MS;
        throw error;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  }

  return async (): Promise<readonly Product[]> => {
    const kept = await guardDatabase(() => deps.models.catalogues.findOne({ _id: deps.provider.name }).lean());
    const { products, fetchedAt } = kept ?? {};
    if (products === undefined || fetchedAt === undefined) {
      return fetch().catch((error) => Promise.reject(toProblem(error)));
    }
    const age = deps.clock.now() - fetchedAt.getTime();
    if (age < deps.config.productsCacheTtl * 1000 || performance.now() < restUntil) return products;
    try {
      return await withinTime(PATIENCE_WITH_STALE_MS, fetch, () => new Error('no answer in time'));
    } catch (error) {
      deps.logger.warn({ err: error, ageSeconds: Math.round(age / 1000) }, 'serving older products');
      return products;
    }
  };
}
