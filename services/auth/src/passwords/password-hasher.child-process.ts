import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Component, type Logger, Problem } from '@latchkey/kit';
import { HashingQueue } from './hashing-queue.js';
import type { HashingResult, PasswordHasher } from './password-hasher.js';

export interface PasswordHasherOptions {
  /** bcrypt's cost of new hashes. */
  readonly cost: number;
  /** Jobs at once; default: as many as there are cores. */
  readonly concurrency?: number;
  /** Jobs that may wait, default 100. */
  readonly maxQueue?: number;
  /** The module to fork; default: `hasher.child` beside this one. */
  readonly childModule?: string;
  /** Arguments for node in front of the module (tests load TypeScript through a hook). */
  readonly execArgv?: readonly string[];
  readonly logger: Logger;
}

/** A job that runs longer than this hangs: its process is replaced. */
const hangsAfter = 30_000;
const longestPause = 5_000;

/**
 * Hashes in a child process of its own, at lower priority (design §2): in the process that serves sessions it would slow every other request.
 * The child is forked at `start`, replaced when it dies, and exits when this process does.
 */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher & Component {
  const { cost, logger, concurrency = availableParallelism() } = options;
  const childModule =
    options.childModule ?? join(__dirname, `hasher.child${__filename.endsWith('.ts') ? '.ts' : '.js'}`);
  let child: ChildProcess | undefined;
  let deaths = 0;
  let stopped = true;
  let watchdog: NodeJS.Timeout | undefined;
  let restart: NodeJS.Timeout | undefined;
  const queue = new HashingQueue({
    // As many again lie ready at the child: while this process is busy with something else, no core waits for the next.
    concurrency: 2 * concurrency,
    maxQueue: options.maxQueue ?? 100,
    send(job) {
      if (!child?.connected) return false;
      // A failure to send is a death of the child, which `exit` tells of.
      child.send(job, () => {});
      return true;
    },
  });

  function spawn(): void {
    const born = fork(childModule, [], {
      execArgv: [...(options.execArgv ?? [])],
      // None of this process's secrets; a thread of its own for every job that runs.
      env: { UV_THREADPOOL_SIZE: String(concurrency) },
      serialization: 'advanced',
    });
    child = born;
    born.on('message', (result: HashingResult) => {
      deaths = 0;
      queue.settle(result);
    });
    // 'exit' may not come when it could not even be started.
    born.on('error', (error) => onDeath(born, error));
    born.on('exit', (code, signal) => onDeath(born, { code, signal }));
    queue.pump();
  }

  function onDeath(dead: ChildProcess, reason: unknown): void {
    if (child !== dead) return;
    child = undefined;
    if (stopped) return;
    logger.error({ reason }, 'the hashing process died');
    queue.workerDied();
    const pause = deaths === 0 ? 0 : Math.min(2 ** deaths * 50, longestPause);
    deaths++;
    restart = setTimeout(spawn, pause);
  }

  function submit(request: Parameters<typeof queue.submit>[0], timeout: number) {
    if (stopped) return Promise.reject(new Problem('service-unavailable'));
    return queue.submit(request, timeout);
  }

  return {
    name: 'password-hasher',
    async start() {
      stopped = false;
      spawn();
      watchdog = setInterval(() => {
        if (queue.longestRun() > hangsAfter) child?.kill('SIGKILL');
      }, 1000);
      watchdog.unref();
    },
    async stop() {
      const finished = queue.drained();
      stopped = true;
      if (child) await finished;
      clearInterval(watchdog);
      clearTimeout(restart);
      const last = child;
      if (!last) return;
      const gone = new Promise((resolve) => last.once('exit', resolve));
      if (last.connected) last.disconnect();
      else last.kill('SIGKILL');
      await gone;
    },
    hash: async (secret, { timeout }) => String(await submit({ kind: 'hash', secret, cost }, timeout)),
    verify: async (secret, hash, { timeout }) => (await submit({ kind: 'verify', secret, hash }, timeout)) === true,
    async check() {
      if (child?.connected) return { status: 'ok', detail: `${queue.length} waiting` };
      return { status: 'degraded', detail: 'the hashing process is being restarted' };
    },
  };
}
