import type { Logger } from './logger.js';
import type { Component } from './service.js';

/** Components that live and die together. */
export interface Lifecycle {
  /** True from the end of a successful `start` until `stop` begins. */
  readonly started: boolean;
  /** Only before `start`. */
  add(component: Component): void;
  /** Starts in the order of `add`. When one fails, those that were started are stopped and its error is thrown. */
  start(): Promise<void>;
  /** Stops in reverse; errors are logged, and what is not done within the limit is left behind. Never rejects. */
  stop(): Promise<void>;
}

/** `stopLimit`: seconds that a stop may take in all, default 10. */
export function createLifecycle(options: { logger: Logger; stopLimit?: number }): Lifecycle {
  const { logger, stopLimit = 10 } = options;
  const components: Component[] = [];
  const running: Component[] = [];
  let phase: 'new' | 'starting' | 'started' | 'stopping' = 'new';
  let stopped: Promise<void> | undefined;

  async function startAll(): Promise<void> {
    for (const component of components) {
      if (phase !== 'starting') return;
      // Listed before it is up: a component that is asked to stop while it starts can give up.
      running.push(component);
      try {
        await component.start();
      } catch (error) {
        // A stop that came in between may have taken it off the list already.
        if (running.at(-1) === component) running.pop();
        await lifecycle.stop();
        throw new Error(`${component.name} did not start`, { cause: error });
      }
      logger.debug({ component: component.name }, 'started');
    }
    if (phase === 'starting') phase = 'started';
  }

  async function stopAll(): Promise<void> {
    const deadline = performance.now() + stopLimit * 1000;
    while (running.length > 0) {
      const component = running.pop() as Component;
      await stopOne(component, deadline - performance.now(), logger);
    }
  }

  const lifecycle: Lifecycle = {
    get started() {
      return phase === 'started';
    },
    add(component) {
      if (phase !== 'new') throw new Error(`${component.name} was added after the start`);
      components.push(component);
    },
    start() {
      if (phase !== 'new') throw new Error('A lifecycle starts once');
      phase = 'starting';
      return startAll();
    },
    stop() {
      phase = 'stopping';
      stopped ??= stopAll();
      return stopped;
    },
  };
  return lifecycle;
}

/** Even with no time left a component is told to stop; then nobody waits for it. */
async function stopOne(component: Component, milliseconds: number, logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, Math.max(milliseconds, 0), 'late');
  });
  try {
    const outcome = await Promise.race([component.stop(), limit]);
    if (outcome === 'late') logger.error({ component: component.name }, 'did not stop in time');
  } catch (error) {
    logger.error({ component: component.name, err: error }, 'failed to stop');
  } finally {
    clearTimeout(timer);
  }
}
