import { writeSync } from 'node:fs';
import { ConfigError } from './config/load-config.js';
import type { Lifecycle } from './lifecycle.js';
import { createLogger, type Logger } from './logger.js';

/** What an entry composes: the parts in the order they start, and the log. */
export interface RunningProcess {
  readonly lifecycle: Pick<Lifecycle, 'start' | 'stop'>;
  readonly logger: Logger;
}

/**
 * The body of every `main.ts`: composes, starts, and runs until SIGTERM or SIGINT, which stop gracefully; a second signal exits at once. So does the end of
 * the channel to a parent that spawned it with one.
 * An error that nobody caught is logged and ends the process, since its state can no longer be trusted; a supervisor starts it again.
 * A configuration that is not usable is told in plain text on standard error.
 */
export function runProcess(name: string, build: () => RunningProcess | Promise<RunningProcess>): void {
  let logger = createLogger({ service: name, level: 'info' });
  let running: RunningProcess | undefined;
  let stopping = false;

  const die = (reason: string) => (error: unknown) => {
    const fault = configFaultOf(error);
    if (fault) writeSync(2, `${fault.message}\n`);
    else logger.fatal({ err: error }, reason);
    exit(logger, 1);
  };
  process.on('uncaughtException', die('uncaught exception'));
  process.on('unhandledRejection', die('unhandled rejection'));

  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) exit(logger, 1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    void (running?.lifecycle.stop() ?? Promise.resolve()).then(() => {
      logger.info('stopped');
      exit(logger, 0);
    });
  };
  // A supervisor that is gone, or lets go, ends what it spawned; a terminal's signal may have begun the stop already.
  process.once('disconnect', () => {
    if (!stopping) onSignal('SIGTERM');
  });
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);

  void (async () => {
    running = await build();
    logger = running.logger;
    if (!stopping) await running.lifecycle.start();
  })().catch((error) => {
    // A start that a signal broke off is not a failure; the signal's own path exits.
    if (!stopping) die('could not start')(error);
  });
}

/** A component that found its settings unusable only when it started is the cause of the lifecycle's error. */
function configFaultOf(error: unknown): ConfigError | undefined {
  if (error instanceof ConfigError) return error;
  return error instanceof Error && error.cause !== undefined ? configFaultOf(error.cause) : undefined;
}

/** Lines under way are written first; a log that cannot be written must not keep the process alive. */
function exit(logger: Logger, code: number): void {
  setTimeout(() => process.exit(code), 500);
  try {
    logger.flush(() => process.exit(code));
  } catch {
    process.exit(code);
  }
}
