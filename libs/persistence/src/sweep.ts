import type { Component, Logger } from '@latchkey/kit';

export interface Sweep extends Component {
  /** A whole run that begins after this call; rejects as the run does. */
  runNow(): Promise<void>;
}

/** Repeats `run`, at start and then `every` seconds after the end of the run before; never two at once. A failed run is logged and the next one comes. */
export function createSweep(o: { name: string; every: number; run: () => Promise<void>; logger: Logger }): Sweep {
  let timer: NodeJS.Timeout | undefined;
  let started = false;
  let last: Promise<void> = Promise.resolve();

  function runNow(): Promise<void> {
    const next = last.catch(() => undefined).then(o.run);
    last = next;
    return next;
  }

  async function tick(): Promise<void> {
    try {
      await runNow();
    } catch (error) {
      o.logger.warn({ err: error, sweep: o.name }, 'sweep failed; it comes again');
    }
    if (started) timer = setTimeout(() => void tick(), o.every * 1000);
  }

  return {
    name: o.name,
    runNow,
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
