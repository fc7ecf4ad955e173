import { type CallContext, type Clock, clientNetwork } from '@latchkey/kit';
import type { Limit, Windows } from '@latchkey/persistence';
import type { FailureCounter } from './failure-counter.js';
import type { KnownAddresses } from './known-addresses.js';
import { Turns } from './turns.js';

/** Guards everything that tells whether a password is right (login, current password) by the limits of logins, known emails and others alike (S17). */
export interface Attempts {
  /**
   * Runs `check`, which answers null for a wrong password; counts that as a failure. Throws `rate-limited` instead of running it. After a success `follow` is run, at once with
   * taking back what was counted, and its result is the guard's: should one of the two fail, the other may have been done. `remember` makes the address one that
   * the account is known to come from. `account`: see account-key.ts.
   */
  guard<T, R>(
    account: string,
    context: CallContext,
    check: () => Promise<T | null>,
    follow: (proven: T, remember: () => Promise<void>) => R | Promise<R>,
  ): Promise<R | null>;
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

  return {
    async guard(account, context, check, follow) {
      const network = clientNetwork(context.client.address);
      await windows.take(perAddress, network);
      const giveBack = () => windows.giveBack(perAddress, network);
      // Counted as failed beforehand, at the address and at the account. What is counted is taken back unless the password was wrong.
      let ended = false;
      try {
        const knownUntil = await known.until(account, network);
        const remember = () => known.remember(account, network, knownUntil);
        const key = knownUntil === null ? account : `${account}@${network}`;
        return await turns.take(key, context.deadline - clock.now(), async () => {
          await failures.reserve(key);
          const proven = await check().catch(async (error) => {
            await failures.release(key);
            throw error;
          });
          ended = true;
          if (proven === null) return null;
          // Each is a durable write, and together they share one flush of the disk.
          const [result] = await Promise.all([follow(proven, remember), failures.forget(key), giveBack()]);
          return result;
        });
      } finally {
        if (!ended) await giveBack();
      }
    },
    async trust(account, context) {
      const network = clientNetwork(context.client.address);
      // An address that was known already has a counter of its own.
      const counters = [account, `${account}@${network}`];
      await Promise.all([...counters.map(failures.forget), known.remember(account, network, null)]);
    },
  };
}
