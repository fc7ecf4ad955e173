import type { HealthCheck } from '@latchkey/contracts';

/** How long anybody waits for the result, in milliseconds; past it the job is dropped. */
export interface HashingOptions {
  readonly timeout: number;
}

/**
 * bcrypt, wherever it runs. It is handed secrets that were made ready for bcrypt already (see password-scheme.ts) and knows neither peppers nor users.
 * Both throw `Problem('overloaded')` when the queue is full or the time is up, `Problem('service-unavailable')` when hashing does not work (S11).
 */
export interface PasswordHasher {
  /** A fresh hash at the configured cost, with a salt of its own (S09). */
  hash(secret: string, options: HashingOptions): Promise<string>;
  verify(secret: string, hash: string, options: HashingOptions): Promise<boolean>;
  check(): Promise<HealthCheck>;
}

/** What crosses to the process that hashes, and back. */
export type HashingJob =
  | { readonly id: number; readonly kind: 'hash'; readonly secret: string; readonly cost: number }
  | { readonly id: number; readonly kind: 'verify'; readonly secret: string; readonly hash: string };

export type HashingResult =
  | { readonly id: number; readonly value: string | boolean }
  | { readonly id: number; readonly error: string };
