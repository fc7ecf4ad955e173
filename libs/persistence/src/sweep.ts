import type { Component, Logger } from '@latchkey/kit';
import type { Lease } from './lease.js';

export interface Sweep extends Component {
  /** A whole run that begins after this call, or none when another replica has one under way; rejects as the run does. */
  runNow(): Promise<void>;
}

/** Seconds until another look when somebody else held the lease: it may be a dead replica's, which lasts no longer. */
const RETRY_SECONDS = 5;

/**
 * Repeats `run`, at start and then `every` seconds after the end of the run before; never two at once, with a `lease` not even of two replicas. A failed run is logged
 * and the next one comes. `signal` aborts when the lease was lost: stop then.
 */
export function createSweep(o: {
  name: string;
  every: number;
  run: (signal?: AbortSignal) => Promise<void>;
  lease?: Lease;
  logger: Logger;
}): Sweep {
  let timer: NodeJS.Timeout | undefined;
  let started = false;
  let last: Promise<unknown> = Promise.resolve();

  async function runOnce(): Promise<boolean> {
    if (o.lease !== undefined) return o.lease.runExclusively(o.run);
    await o.run();
    return true;
  }

  /** Whether it ran. */
  function runNext(): Promise<boolean> {
    const next = last.catch(() => undefined).then(runOnce);
    last = next;
    return next;
  }

  async function tick(): Promise<void> {
    let ran = true;
    try {
      ran = await runNext();
    } catch (error) {
      o.logger.warn({ err: error, sweep: o.name }, 'sweep failed; it comes again');
    }
    if (started) timer = setTimeout(() => void tick(), (ran ? o.every : Math.min(o.every, RETRY_SECONDS)) * 1000);
  }

  return {
    name: o.name,
    runNow: async () => void (await runNext()),
    async start() {
      started = true;
      void tick();
    },
    async stop() {
      started = false;
      clearTimeout(timer);
      await last.catch(() => undefined);
    },
  };
}
