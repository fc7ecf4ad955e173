import type { CallContext, Clock } from '@latchkey/kit';
import type { StoredPassword } from '../domain/credentials.js';
import { asKnownBcrypt, costOf, costsToSpend, createPasswordScheme, dummyHash } from '../domain/password-scheme.js';
import type { PasswordHasher } from './password-hasher.js';

/** Passwords as the use cases need them. Errors: those of `PasswordHasher`. `context` says how long its caller waits. */
export interface Passwords {
  hash(password: string, context: CallContext): Promise<StoredPassword>;
  /** Does it match? `null` (unknown user, no password, temporary value) never does and takes the same time (S15). */
  matches(password: string, stored: StoredPassword | null, context: CallContext): Promise<boolean>;
  isOutdated(stored: StoredPassword): boolean;
}

export function createPasswords(deps: {
  hasher: PasswordHasher;
  peppers: readonly string[];
  cost: number;
  clock: Clock;
}): Passwords {
  const { hasher, cost, clock } = deps;
  const scheme = createPasswordScheme(deps.peppers, cost);
  const patience = (context: CallContext) => ({ timeout: context.deadline - clock.now() });

  return {
    async hash(password, context) {
      const { secret, ...how } = scheme.prepare(password);
      return { hash: await hasher.hash(secret, patience(context)), ...how };
    },
    async matches(password, stored, context) {
      const known = stored && scheme.secretFor(password, stored);
      const hash = stored && known !== null ? asKnownBcrypt(stored.hash) : dummyHash(cost);
      const secret = known ?? scheme.prepare(password).secret;
      const verified = await hasher.verify(secret, hash, patience(context));
      if (verified && known !== null) return true;
      for (const rest of costsToSpend(costOf(hash), cost)) {
        await hasher.verify(secret, dummyHash(rest), patience(context));
      }
      return false;
    },
    isOutdated: (stored) => scheme.isOutdated(stored),
  };
}
