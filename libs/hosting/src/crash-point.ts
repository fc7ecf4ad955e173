import type { Environment } from '@latchkey/kit';

/** Called by use cases around their awaits; ends the process there when a fault test asked for it. */
export type CrashPoint = (name: string) => void;

/**
 * With `CRASH_AT=<name>` the process kills itself (SIGKILL, nothing is flushed or closed) the first time it comes by the point of that name. For fault tests
 * alone: refused with NODE_ENV=production by being ignored there.
 */
export function crashPointFrom(environment: Environment): CrashPoint | undefined {
  const wanted = environment.CRASH_AT;
  if (!wanted || environment.NODE_ENV === 'production') return undefined;
  return (name) => {
    if (name === wanted) process.kill(process.pid, 'SIGKILL');
  };
}
