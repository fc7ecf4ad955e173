import { compare, hash } from 'bcrypt';
import type { PasswordHasher } from '../passwords/password-hasher.js';

/** Real bcrypt in the test's own process, at a cost that is quick. */
export function inProcessHasher(cost = 4): PasswordHasher {
  return {
    hash: (secret) => hash(secret, cost),
    verify: (secret, stored) => compare(secret, stored),
    check: async () => ({ status: 'ok' }),
  };
}
