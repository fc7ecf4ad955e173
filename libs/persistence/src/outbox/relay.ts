import type { Component } from '@latchkey/kit';
import type { AggregateFields, AggregateModel } from '../aggregate.js';
import { isUnavailable } from '../unavailable.js';
import type { OutboxModel } from './aggregates.js';
import { Backlog, type Work } from './backlog.js';
import { Pause } from './pause.js';
import { type PendingEvents, pendingEvents } from './pending-events.js';
import { type RelayDeps, type RelayResult, relayAggregate } from './relay-aggregate.js';
import { relayBatch } from './relay-batch.js';
import { RetryCalendar } from './retry-calendar.js';
import { sweepPending } from './sweep-pending.js';

export interface RelayOptions extends Omit<RelayDeps, 'stopping' | 'calendar'> {
  readonly models: () => readonly OutboxModel[];
  readonly sweepMs: number;
  /** Batches of aggregates that are published at once; one aggregate alone is a batch too. */
  readonly concurrency: number;
  /** Aggregates of a batch at most. */
  readonly batchSize: number;
  readonly random: () => number;
}

export interface Relay extends Component {
  /** Something was written to this aggregate's outbox. */
  wake<D extends AggregateFields>(model: AggregateModel<D>, id: unknown): void;
  /** How much waits and for how long; for health and metrics. */
  pending(): Promise<PendingEvents>;
}

const STOP_LIMIT_MS = 8_000;

/**
 * Publishes what lies in outboxes: woken at once by the write, and by a sweep at start and every 2 s for what a dead process left (O1). While there is more than
 * one sweep takes, the next one comes as soon as there is room.
 */
export function createRelay(o: RelayOptions): Relay {
  const backlog = new Backlog();
  const pause = new Pause(o.random, () => void sweep());
  const cursors = new Map<string, unknown>();
  let running = 0;
  let sweeping = false;
  /** The last sweep left some for the next one. */
  let moreBehind = false;
  let state: 'new' | 'started' | 'stopping' = 'new';
  let timer: NodeJS.Timeout | undefined;
  let whenIdle: (() => void) | undefined;
  const deps: RelayDeps = { ...o, calendar: new RetryCalendar(), stopping: () => state === 'stopping' };

  function pump(): void {
    while (state === 'started' && !pause.active && running < o.concurrency) {
      const works = backlog.take(o.batchSize);
      if (works.length === 0) break;
      running += 1;
      void run(works);
    }
    if (running === 0) whenIdle?.();
  }

  async function run(works: readonly Work[]): Promise<void> {
    let results = new Map<string, RelayResult>();
    try {
      results = await relay(works);
    } catch (error) {
      if (isUnavailable(error)) o.logger.warn({ err: error }, 'database unavailable: the relay will sweep again');
      else o.logger.error({ err: error, aggregates: works.map(({ id }) => String(id)) }, 'relaying aggregates failed');
    } finally {
      const all = [...results.values()];
      if (all.includes('unavailable')) {
        backlog.clear();
        pause.begin();
      } else if (all.includes('published')) pause.reset();
      running -= 1;
      for (const work of works) {
        const result = results.get(String(work.id)) ?? 'failed';
        backlog.done(work, result === 'failed' ? 'failed' : 'well');
      }
      // Only after success: those that fail would otherwise be swept without a pause.
      if (moreBehind && all.includes('published') && backlog.size < o.batchSize) void sweep();
      pump();
    }
  }

  /** One alone takes a write less than a batch of one. */
  async function relay(works: readonly Work[]): Promise<Map<string, RelayResult>> {
    const { model, id } = works[0] as Work;
    if (works.length > 1)
      return relayBatch(
        model,
        works.map((work) => work.id),
        deps,
      );
    return new Map([[String(id), await relayAggregate(model, id, deps)]]);
  }

  async function sweep(): Promise<void> {
    if (sweeping) return;
    clearTimeout(timer);
    if (state !== 'started') return;
    sweeping = true;
    try {
      moreBehind = !pause.active && (await sweepPending(o.models(), cursors, o.leaseMs, backlog));
    } catch (error) {
      moreBehind = false;
      o.logger.warn({ err: error }, 'sweep for pending events failed');
    } finally {
      sweeping = false;
    }
    if (state !== 'started') return;
    clearTimeout(timer);
    timer = setTimeout(() => void sweep(), o.sweepMs);
    pump();
  }

  return {
    name: 'outbox relay',
    wake(model, id) {
      // While the engine is away the sweep after the pause finds everything; nothing is kept in memory for it.
      if (state !== 'started' || pause.active) return;
      backlog.add(model as unknown as OutboxModel, id);
      pump();
    },
    pending: () => pendingEvents(o.models(), o.clock),
    async start() {
      state = 'started';
      void sweep();
    },
    async stop() {
      state = 'stopping';
      clearTimeout(timer);
      pause.end();
      backlog.clear();
      if (running === 0) return;
      let limit: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        whenIdle = resolve;
        limit = setTimeout(resolve, STOP_LIMIT_MS);
      });
      clearTimeout(limit);
    },
  };
}
