import { type CallContext, type Clock, clientNetwork } from '@latchkey/kit';
import type { Limit, Windows } from '@latchkey/persistence';
import type { FailureCounter } from './failure-counter.js';
import type { KnownAddresses } from './known-addresses.js';
import { Turns } from './turns.js';

/** Guards everything that tells whether a password is right (login, current password) by the limits of logins, known emails and others alike (S17). */
export interface Attempts {
  /** Runs `check`, which answers null for a wrong password; counts that as a failure. Throws `rate-limited` instead of running it. `account`: see account-key.ts. */
  guard<T>(account: string, context: CallContext, check: () => Promise<T | null>): Promise<T | null>;
  /** The owner has proven itself in another way: strangers' failures no longer hold it up at this address. */
  trust(account: string, context: CallContext): Promise<void>;
}

export function createAttempts(deps: {
  windows: Windows;
  failures: FailureCounter;
  known: KnownAddresses;
  perAddress: Limit;
  /** Attempts of one account at once. */
  atOnce: number;
  clock: Clock;
}): Attempts {
  const { windows, failures, known, perAddress, clock } = deps;
  const turns = new Turns({ atOnce: deps.atOnce, waitAtMost: 100 });

  /** Counts the attempt and runs it. What is counted is taken back unless the password was wrong. */
  async function attempt<T>(key: string, check: () => Promise<T | null>): Promise<T | null> {
    await failures.reserve(key);
    let result: T | null;
    try {
      result = await check();
    } catch (error) {
      await failures.release(key);
      throw error;
    }
    if (result !== null) await failures.forget(key);
    return result;
  }

  return {
    async guard(account, context, check) {
      const network = clientNetwork(context.client.address);
      await windows.take(perAddress, network);
      let failed = false;
      try {
        const key = (await known.has(account, network)) ? `${account}@${network}` : account;
        const patience = context.deadline - clock.now();
        const result = await turns.take(key, patience, () => attempt(key, check));
        failed = result === null;
        return result;
      } finally {
        if (!failed) await windows.giveBack(perAddress, network);
      }
    },
    async trust(account, context) {
      const network = clientNetwork(context.client.address);
      // An address that was known already has a counter of its own.
      const counters = [account, `${account}@${network}`];
      await Promise.all([...counters.map(failures.forget), known.remember(account, network)]);
    },
  };
}
