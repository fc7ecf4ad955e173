import { createPublicKey, type KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { authApi } from '@latchkey/contracts';
import { type ClientOf, type Clock, type Logger, Problem, systemContext } from '@latchkey/kit';

/** Unknown kids may make us ask auth this often (ms), whatever clients send; who comes in between waits for the next time. */
const askAgainAfter = 1_000;
/** Keys are asked for again in the background after this long (ms), so that one that auth withdrew dies here too. */
const refreshAfter = 300_000;
/** How long auth may take to answer, seconds. */
const patience = 5;

/**
 * Auth's public keys by kid. A kid is only ever looked up here; nothing in a token's header is fetched or opened (S34).
 */
export interface KeyRing {
  find(kid: string): KeyObject | undefined;
  /**
   * Asks auth, by a question that is sent after this call, at most once a second for all callers together: after a rotation another gateway's sessions are signed
   * with a key that this one has not seen yet, and nobody may be logged out for that. Throws `service-unavailable` when auth cannot be asked.
   */
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
  pause?: (milliseconds: number) => Promise<void>;
}): KeyRing {
  const pause = deps.pause ?? wait;
  let keySet: JsonWebKeySet | undefined;
  let keys = new Map<string, KeyObject>();
  let generation = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failed: unknown;
  let asking: Promise<void> | undefined;
  let nextTime: Promise<void> | undefined;
  let asked = 0;

  async function ask(): Promise<void> {
    askedAt = deps.clock.now();
    asked += 1;
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

  /** At once when that is allowed, else as soon as it is. */
  function refreshInTurn(): Promise<void> {
    const may = keySet === undefined || asking !== undefined || age() >= askAgainAfter;
    if (nextTime === undefined && may) return refresh();
    nextTime ??= pause(askAgainAfter - age())
      .then(refresh)
      .finally(() => {
        nextTime = undefined;
      });
    return nextTime;
  }

  return {
    find(kid) {
      if (keySet !== undefined && age() >= refreshAfter) {
        refresh().catch((error) => deps.logger.warn({ err: error }, 'session keys could not be refreshed'));
      }
      return keys.get(kid);
    },
    async lookUp(kid) {
      const before = asked;
      // A question that is under way already may have been sent before auth had the key.
      do await refreshInTurn();
      while (!keys.has(kid) && asked === before);
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
