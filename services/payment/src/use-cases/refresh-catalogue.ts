import type { Product } from '@latchkey/contracts';
import { guardDatabase, retryUpsert } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import type { CallOptions } from '../payment-provider.js';

/** Fetches the products and stores them, unless a fetch that began later has done so already. Rejects with `ProviderError`. */
export type RefreshCatalogue = (options?: CallOptions) => Promise<readonly Product[]>;

export function refreshCatalogue(deps: Pick<PaymentDependencies, 'clock' | 'models' | 'provider'>): RefreshCatalogue {
  const { catalogues } = deps.models;
  const _id = deps.provider.name;

  async function takeTicket(): Promise<number> {
    const take = () =>
      catalogues.findOneAndUpdate({ _id }, { $inc: { tickets: 1 } }, { upsert: true, returnDocument: 'after' }).lean();
    return (await retryUpsert(take))?.tickets ?? 0;
  }

  return async (options) => {
    const ticket = await guardDatabase(takeTicket);
    const products = await deps.provider.listProducts(options);
    await guardDatabase(() =>
      catalogues.updateOne(
        { _id, applied: { $lt: ticket } },
        { $set: { applied: ticket, products, fetchedAt: new Date(deps.clock.now()) } },
      ),
    );
    return products;
  };
}
