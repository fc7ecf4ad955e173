import { randomUUID } from 'node:crypto';
import type { Message } from '@latchkey/contracts';
import type { Clock, Logger, Metrics } from '@latchkey/kit';
import type { Model } from 'mongoose';
import type { Aggregates } from '../aggregate.js';
import { createAggregates, type OutboxModel } from './aggregates.js';
import { measureOutbox } from './measure-outbox.js';
import { createRelay, type Relay } from './relay.js';

export interface OutboxOptions {
  /** The models of every aggregate of this service; asked for at each sweep. */
  // biome-ignore lint/suspicious/noExplicitAny: Model is invariant in its document, so that no other type takes models of different aggregates.
  readonly models: () => readonly Model<any>[];
  /** Resolves when the message is durable; usually `queue.publish`. */
  readonly publish: (message: Message) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Who holds a lease; unique to this process. */
  readonly owner?: string;
  readonly sweepMs?: number;
  readonly leaseMs?: number;
  readonly publishLimitMs?: number;
  readonly concurrency?: number;
  readonly batchSize?: number;
  readonly random?: () => number;
  readonly metrics?: Metrics | undefined;
}

/** State and events in one write (`aggregates`), and what publishes them (`relay`), see design §3. */
export function createOutbox(o: OutboxOptions): { aggregates: Aggregates; relay: Relay } {
  const random = o.random ?? Math.random;
  const relay = createRelay({
    models: o.models as () => readonly OutboxModel[],
    publish: o.publish,
    clock: o.clock,
    logger: o.logger,
    owner: o.owner ?? randomUUID(),
    sweepMs: o.sweepMs ?? 2_000,
    leaseMs: o.leaseMs ?? 5_000,
    publishLimitMs: o.publishLimitMs ?? 10_000,
    concurrency: o.concurrency ?? 8,
    batchSize: o.batchSize ?? 50,
    random,
  });
  if (o.metrics) measureOutbox(o.metrics, relay);
  const aggregates = createAggregates({ clock: o.clock, wake: (model, id) => relay.wake(model, id), random });
  return { aggregates, relay };
}
