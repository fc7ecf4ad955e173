import { createPublicKey, type KeyObject } from 'node:crypto';
import type { authApi } from '@latchkey/contracts';
import { type ClientOf, type Clock, type Logger, Problem, systemContext } from '@latchkey/kit';

/** An unknown kid may make us ask auth this often (ms), whatever clients send. */
const askAgainAfter = 5_000;
/** Keys are asked for again in the background after this long (ms), so that one that auth withdrew dies here too. */
const refreshAfter = 300_000;
/** How long auth may take to answer, seconds. */
const patience = 5;

/**
 * Auth's public keys by kid. A kid is only ever looked up here; nothing in a token's header is fetched or opened (S34).
 */
export interface KeyRing {
  find(kid: string): KeyObject | undefined;
  /** Asks auth when it may know the kid by now. Throws `service-unavailable` when it cannot be asked. */
  lookUp(kid: string): Promise<KeyObject | undefined>;
  /** Asks auth now. For a kid that auth itself has just handed out. */
  refresh(): Promise<void>;
  /** Rises when the set of keys changes: what was verified under an older set must be verified again. */
  readonly generation: number;
  /** As auth publishes them. */
  published(): Promise<JsonWebKeySet>;
}

export type JsonWebKeySet = Awaited<ReturnType<ClientOf<typeof authApi>['showKeys']>>;

export function createKeyRing(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'showKeys'>;
  clock: Clock;
  logger: Logger;
}): KeyRing {
  let keySet: JsonWebKeySet | undefined;
  let keys = new Map<string, KeyObject>();
  let generation = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failed: unknown;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    askedAt = deps.clock.now();
    try {
      const answer = await deps.auth.showKeys({}, systemContext({ clock: deps.clock, timeout: patience }));
      if (JSON.stringify(answer) !== JSON.stringify(keySet)) {
        keys = new Map(answer.keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]));
        generation += 1;
      }
      keySet = answer;
      failed = undefined;
    } catch (error) {
      failed = error;
      throw new Problem('service-unavailable', { cause: error });
    }
  }

  function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  const age = () => Math.abs(deps.clock.now() - askedAt);

  return {
    find(kid) {
      if (keySet !== undefined && age() >= refreshAfter) {
        refresh().catch((error) => deps.logger.warn({ err: error }, 'session keys could not be refreshed'));
      }
      return keys.get(kid);
    },
    async lookUp(kid) {
      if (keySet === undefined || asking !== undefined || age() >= askAgainAfter) await refresh();
      // Whether auth knows the kid cannot be told now: refusing the token would log somebody out for a fault of ours.
      else if (failed !== undefined && !keys.has(kid)) throw new Problem('service-unavailable', { cause: failed });
      return keys.get(kid);
    },
    refresh,
    get generation() {
      return generation;
    },
    async published() {
      if (keySet === undefined || age() >= askAgainAfter) await refresh().catch(() => undefined);
      if (keySet === undefined) throw new Problem('service-unavailable', { cause: failed });
      return keySet;
    },
  };
}
