import { randomBytes } from 'node:crypto';
import type { Clock } from '@latchkey/kit';
import type { Event } from './objects.js';
import type { Store } from './store.js';

export const API_VERSION = '2026-10-28.endive';

/** What every part of the simulator works with. */
export interface World {
  readonly store: Store;
  readonly clock: Clock;
  /** Milliseconds from `Pay later` to its end. */
  payLaterMs: number;
  /** New events are held back until they are released. */
  holding: boolean;
  /** Milliseconds by which new events are sent late. */
  delayMs: number;
  /** Nobody is told of what happens now. */
  silent: boolean;
  /** Called when there is something to send. */
  wakeSender: () => void;
}

export const seconds = (world: World) => Math.floor(world.clock.now() / 1000);

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function newId(prefix: string, length = 24): string {
  let id = `${prefix}_`;
  for (const byte of randomBytes(length)) id += ALPHABET[byte % ALPHABET.length];
  return id;
}

/** The fields that every new object has. */
export function fresh<P extends string, O extends string>(world: World, prefix: P, object: O) {
  return { id: newId(prefix), object, created: seconds(world), livemode: false as const, metadata: {} };
}

/** Records an event with the object as it is now, and its webhook. Call inside of `store.change`. */
export function emit(world: World, type: string, object: object): void {
  if (world.silent) return;
  const now = world.clock.now();
  const { metadata: _, ...base } = fresh(world, 'evt', 'event' as const);
  const event: Event = {
    ...base,
    api_version: API_VERSION,
    data: { object: structuredClone(object) },
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  world.store.put('event', event);
  world.store.put('delivery', {
    id: event.id,
    state: world.holding ? 'held' : 'pending',
    attempts: 0,
    nextAt: now + world.delayMs,
    firstAt: now,
    lastAnswer: null,
  });
  world.wakeSender();
}
