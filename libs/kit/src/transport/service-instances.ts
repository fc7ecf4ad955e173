import type { Pool } from 'undici';
import { undici } from '../undici.js';

/** One address that a service is reached at: an instance of it, or a name behind which there may be several. */
export interface ServiceInstance {
  /** Kept-alive connections to it. */
  readonly pool: Pool;
  /** What stands before the path of an endpoint. */
  readonly prefix: string;
  readonly host: string;
  readonly port: number;
}

/** Every address of one service, and which of them to ask first. */
export interface ServiceInstances {
  /** All of them, in the order they should be asked: in turn, those that failed just now last. */
  inOrder(): readonly ServiceInstance[];
  /** It could not be reached, or takes no calls. */
  failed(instance: ServiceInstance): void;
  close(): Promise<void>;
}

/** An instance that failed is asked last for so long. */
const REST_MS = 2_000;
/** A connection is replaced after so long, so that a name is resolved again and instances that were added get their share. */
const CONNECTION_LIFE_MS = 60_000;
const LARGEST_ANSWER = 32 * 1024 * 1024;

/** `baseUrls`: at least one. `connections`: at once to each, default 64. */
export function createServiceInstances(baseUrls: readonly string[], connections = 64): ServiceInstances {
  const instances = baseUrls.map((baseUrl): ServiceInstance => {
    const { origin, pathname, hostname, port, protocol } = new URL(baseUrl);
    const pool = new (undici().Pool)(origin, {
      connections,
      // Of a name's addresses node tries one after the other.
      connect: { timeout: 5000 },
      clientTtl: CONNECTION_LIFE_MS,
      maxResponseSize: LARGEST_ANSWER,
    });
    const usualPort = protocol === 'https:' ? 443 : 80;
    return { pool, prefix: pathname.replace(/\/+$/, ''), host: hostname, port: Number(port) || usualPort };
  });
  if (instances.length === 0) throw new Error('A service needs an address');
  const failedAt = new Map<ServiceInstance, number>();
  let turn = 0;

  const rests = (instance: ServiceInstance) => {
    const at = failedAt.get(instance);
    return at !== undefined && performance.now() - at < REST_MS;
  };

  return {
    inOrder() {
      if (instances.length === 1) return instances;
      turn = (turn + 1) % instances.length;
      const inTurn = [...instances.slice(turn), ...instances.slice(0, turn)];
      return [...inTurn.filter((one) => !rests(one)), ...inTurn.filter(rests)];
    },
    failed: (instance) => void failedAt.set(instance, performance.now()),
    close: async () => void (await Promise.all(instances.map(({ pool }) => pool.close()))),
  };
}
