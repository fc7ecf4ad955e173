import { type Clock, Problem } from '@latchkey/kit';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../duplicate-key.js';
import type { Throttle } from './throttle-model.js';

/** A fixed window: at most `most` in `seconds`, from the first one on. `name` is what a 429 calls it. */
export interface Limit {
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

/** Counts against fixed windows, in the database: shared by replicas, kept through restarts (S22). Each step is one conditional write. */
export interface Windows {
  /** Counts one, or throws `rate-limited` with the limit's name and the seconds until the window ends. */
  take(limit: Limit, key: string): Promise<void>;
  /** Takes a count back: what was counted beforehand was no failure. */
  giveBack(limit: Limit, key: string): Promise<void>;
}

export function createWindows({ model, clock }: { model: Model<Throttle>; clock: Clock }): Windows {
  async function begin(_id: string, limit: Limit, now: Date): Promise<boolean> {
    const expiresAt = new Date(now.getTime() + limit.seconds * 1000);
    try {
      // An upsert that meets a live window is refused by the unique _id: then somebody else began it.
      await model.updateOne(
        { _id, expiresAt: { $lte: now } },
        { $set: { count: 1, lastAt: now, expiresAt } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    async take(limit, key) {
      const _id = `${limit.name}:${key}`;
      for (;;) {
        const now = new Date(clock.now());
        const live = { _id, expiresAt: { $gt: now } };
        const counted = await model.updateOne(
          { ...live, count: { $lt: limit.most } },
          { $inc: { count: 1 }, $set: { lastAt: now } },
        );
        if (counted.matchedCount === 1) return;
        const full = await model.findOne({ ...live, count: { $gte: limit.most } }).lean<Throttle>();
        if (full) throw limited(limit.name, full.expiresAt.getTime() - now.getTime());
        if (await begin(_id, limit, now)) return;
      }
    },
    async giveBack(limit, key) {
      await model.updateOne({ _id: `${limit.name}:${key}`, count: { $gt: 0 } }, { $inc: { count: -1 } });
    },
  };
}

/** The refusal of what comes too early by so many milliseconds. */
export function limited(limit: string, milliseconds: number): Problem {
  return new Problem('rate-limited', { limit, retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) });
}
