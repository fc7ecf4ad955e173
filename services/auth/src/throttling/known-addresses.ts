import type { Clock } from '@latchkey/kit';
import type { Model } from 'mongoose';
import type { KnownAddress } from '../models/known-address.js';

const day = 24 * 60 * 60 * 1000;
const rememberedFor = 30 * day;

/** From where an account was logged in to within 30 days: such an address has a failure counter of its own, so that strangers cannot delay the owner (S21). */
export interface KnownAddresses {
  /** Until when it is known, in ms of the clock; null when it is not, or no more. */
  until(account: string, network: string): Promise<number | null>;
  /** From now on for 30 days. `knownUntil`: what `until` said; then not every login is a write. */
  remember(account: string, network: string, knownUntil: number | null): Promise<void>;
}

export function createKnownAddresses({ model, clock }: { model: Model<KnownAddress>; clock: Clock }): KnownAddresses {
  const id = (account: string, network: string) => `${account}@${network}`;
  return {
    async until(account, network) {
      const filter = { _id: id(account, network), expiresAt: { $gt: new Date(clock.now()) } };
      return (await model.findOne(filter).lean())?.expiresAt.getTime() ?? null;
    },
    async remember(account, network, knownUntil) {
      const expiresAt = clock.now() + rememberedFor;
      // That of a day ago will do.
      if (knownUntil !== null && knownUntil > expiresAt - day) return;
      const change = { $set: { expiresAt: new Date(expiresAt) } };
      await model.updateOne({ _id: id(account, network) }, change, { upsert: true });
    },
  };
}
