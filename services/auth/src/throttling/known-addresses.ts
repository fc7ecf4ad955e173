import type { Clock } from '@latchkey/kit';
import type { Model } from 'mongoose';
import type { KnownAddress } from '../models/known-address.js';

const day = 24 * 60 * 60 * 1000;
const rememberedFor = 30 * day;

/** From where an account was logged in to within 30 days: such an address has a failure counter of its own, so that strangers cannot delay the owner (S21). */
export interface KnownAddresses {
  has(account: string, network: string): Promise<boolean>;
  remember(account: string, network: string): Promise<void>;
}

export function createKnownAddresses({ model, clock }: { model: Model<KnownAddress>; clock: Clock }): KnownAddresses {
  const id = (account: string, network: string) => `${account}@${network}`;
  return {
    async has(account, network) {
      const filter = { _id: id(account, network), expiresAt: { $gt: new Date(clock.now()) } };
      return (await model.findOne(filter).lean()) !== null;
    },
    async remember(account, network) {
      const _id = id(account, network);
      const now = clock.now();
      // Not written at each login: that of a day ago will do.
      const fresh = { _id, expiresAt: { $gt: new Date(now + rememberedFor - day) } };
      if ((await model.findOne(fresh).lean()) !== null) return;
      await model.updateOne({ _id }, { $set: { expiresAt: new Date(now + rememberedFor) } }, { upsert: true });
    },
  };
}
