import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Component, Environment, Logger } from '@latchkey/kit';

export interface SupervisedProcessOptions {
  readonly name: string;
  readonly module: string;
  /** Asked at each start. */
  readonly environment: () => Environment;
  readonly logger: Logger;
  /** Takes each line that it writes. */
  readonly write: (line: string) => void;
  /** What it says through its channel. */
  readonly onMessage?: ((message: unknown) => void) | undefined;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** After a life of this length the next pause is a short one again. */
const STEADY_MS = 10_000;
/** A process stops by itself within 10 s; what is left then hangs. */
const KILL_AFTER_MS = 11_000;

/**
 * A Node process that is started again whenever it ends, after 0.5 s to 5 s. It is told to stop through its channel and not by a signal, since a terminal
 * signals the whole group already and a second signal would cut the graceful stop short. The same channel ends it when this process dies.
 */
export function createSupervisedProcess(o: SupervisedProcessOptions): Component {
  let child: ChildProcess | undefined;
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let ended: () => void = () => undefined;

  function run(): void {
    const startedAt = performance.now();
    const born = spawn(process.execPath, [o.module], {
      env: { ...o.environment() },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = born;
    for (const stream of [born.stdout, born.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => o.write(line));
    born.on('message', (message) => o.onMessage?.(message));
    born.once('error', (error) => onEnd(born, startedAt, { err: error }));
    born.once('exit', (code, signal) => onEnd(born, startedAt, { code, signal }));
    o.logger.info({ process: o.name, pid: born.pid }, 'process started');
  }

  function onEnd(born: ChildProcess, startedAt: number, how: object): void {
    if (child !== born) return;
    child = undefined;
    if (stopping) {
      ended();
      return;
    }
    if (performance.now() - startedAt > STEADY_MS) pause = FIRST_PAUSE_MS;
    o.logger.error({ process: o.name, ...how, againInMs: pause }, 'process ended; it is started again');
    timer = setTimeout(run, pause);
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
  }

  return {
    name: o.name,
    start: async () => run(),
    async stop() {
      stopping = true;
      clearTimeout(timer);
      const last = child;
      if (last === undefined) return;
      const gone = new Promise<void>((resolve) => {
        ended = resolve;
      });
      if (last.connected) last.disconnect();
      const limit = setTimeout(() => last.kill('SIGKILL'), KILL_AFTER_MS);
      await gone;
      clearTimeout(limit);
    },
  };
}
