import type { Clock } from '@latchkey/kit';
import { isDuplicateKey, limited, type Throttle } from '@latchkey/persistence';
import type { Model } from 'mongoose';
import { failuresKeptFor, freeFailures, nextAttemptAt } from '../domain/login-delay.js';

/**
 * Counts failed logins of one account. An attempt is counted as failed before the password is verified, so that of a burst of parallel guesses
 * no more pass than one after the other would; a success forgets all (S23).
 */
export interface FailureCounter {
  /** Throws `rate-limited` while the delay lasts, whatever the password is (S19). */
  reserve(key: string): Promise<void>;
  /** The attempt was no failure, nor a success: it could not be made. */
  release(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

const limitName = 'login-failures-per-account';

export function createFailureCounter(deps: { model: Model<Throttle>; clock: Clock; scale: number }): FailureCounter {
  const { model, clock, scale } = deps;
  const free = freeFailures(scale);
  const id = (key: string) => `${limitName}:${key}`;

  function counting(now: Date) {
    return { lastAt: now, expiresAt: new Date(now.getTime() + failuresKeptFor * 1000) };
  }

  async function countFirst(_id: string, now: Date): Promise<boolean> {
    try {
      await model.updateOne(
        { _id, expiresAt: { $lte: now } },
        { $set: { count: 1, ...counting(now) } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** One step; false when somebody else was faster. */
  async function tryReserve(_id: string): Promise<boolean> {
    const now = new Date(clock.now());
    const live = { _id, expiresAt: { $gt: now } };
    const update = { $inc: { count: 1 }, $set: counting(now) };
    const counted = await model.updateOne({ ...live, count: { $lt: free } }, update);
    if (counted.matchedCount === 1) return true;
    const current = await model.findOne(live).lean<Throttle>();
    if (!current) return countFirst(_id, now);
    // Begun or forgotten by somebody else since the first step: there is nothing to wait for, though its clock may be ahead of ours.
    if (current.count < free) return false;
    const wait = nextAttemptAt({ failures: current.count, lastAt: current.lastAt }, scale) - now.getTime();
    if (wait > 0) throw limited(limitName, wait);
    // Of those that waited the delay out, only one gets the next attempt.
    const won = await model.updateOne({ ...live, count: current.count, lastAt: current.lastAt }, update);
    return won.matchedCount === 1;
  }

  return {
    async reserve(key) {
      while (!(await tryReserve(id(key))));
    },
    async release(key) {
      await model.updateOne({ _id: id(key), count: { $gt: 0 } }, { $inc: { count: -1 } });
    },
    async forget(key) {
      // Kept until it expires: the next attempt counts on it in one step, where one that is gone would have to be begun anew.
      await model.updateOne({ _id: id(key) }, { $set: { count: 0 } });
    },
  };
}
