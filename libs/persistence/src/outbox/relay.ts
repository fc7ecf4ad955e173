import type { Component } from '@latchkey/kit';
import type { AggregateFields, AggregateModel } from '../aggregate.js';
import { isUnavailable } from '../unavailable.js';
import type { OutboxModel } from './aggregates.js';
import { Backlog, type Work } from './backlog.js';
import { Pause } from './pause.js';
import { type PendingEvents, pendingEvents } from './pending-events.js';
import { type RelayDeps, relayAggregate } from './relay-aggregate.js';
import { RetryCalendar } from './retry-calendar.js';
import { sweepPending } from './sweep-pending.js';

export interface RelayOptions extends Omit<RelayDeps, 'stopping' | 'calendar'> {
  readonly models: () => readonly OutboxModel[];
  readonly sweepMs: number;
  /** Aggregates that are published at once. */
  readonly concurrency: number;
  readonly random: () => number;
}

export interface Relay extends Component {
  /** Something was written to this aggregate's outbox. */
  wake<D extends AggregateFields>(model: AggregateModel<D>, id: unknown): void;
  /** How much waits and for how long; for health and metrics. */
  pending(): Promise<PendingEvents>;
}

const STOP_LIMIT_MS = 8_000;

/** Publishes what lies in outboxes: woken at once by the write, and by a sweep at start and every 2 s for what a dead process left (O1). */
export function createRelay(o: RelayOptions): Relay {
  const backlog = new Backlog();
  const pause = new Pause(o.random, () => void sweep());
  const cursors = new Map<string, unknown>();
  let running = 0;
  let state: 'new' | 'started' | 'stopping' = 'new';
  let timer: NodeJS.Timeout | undefined;
  let whenIdle: (() => void) | undefined;
  const deps: RelayDeps = { ...o, calendar: new RetryCalendar(), stopping: () => state === 'stopping' };

  function pump(): void {
    while (state === 'started' && !pause.active && running < o.concurrency) {
      const work = backlog.take();
      if (work === undefined) break;
      running += 1;
      void run(work);
    }
    if (running === 0) whenIdle?.();
  }

  async function run(work: Work): Promise<void> {
    let outcome: 'well' | 'failed' = 'well';
    try {
      const result = await relayAggregate(work.model, work.id, deps);
      if (result === 'unavailable') {
        backlog.clear();
        pause.begin();
      } else if (result === 'failed') outcome = 'failed';
      else if (result === 'published') pause.reset();
    } catch (error) {
      if (isUnavailable(error)) o.logger.warn({ err: error }, 'database unavailable: the relay will sweep again');
      else o.logger.error({ err: error, aggregate: String(work.id) }, 'relaying an aggregate failed');
      outcome = 'failed';
    } finally {
      running -= 1;
      backlog.done(work, outcome);
      pump();
    }
  }

  async function sweep(): Promise<void> {
    clearTimeout(timer);
    if (state !== 'started') return;
    try {
      if (!pause.active) await sweepPending(o.models(), cursors, o.leaseMs, backlog);
    } catch (error) {
      o.logger.warn({ err: error }, 'sweep for pending events failed');
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
