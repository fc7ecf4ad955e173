import type { Clock, Environment } from '@latchkey/kit';

/** What a command knows of the world around it. */
export interface Terminal {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Results, for a person or a program. */
  out(text: string): void;
  /** Everything else: questions, progress, refusals. */
  err(text: string): void;
  /** All that standard input holds. */
  readInput(): Promise<string>;
  /** Asks without showing what is typed; undefined where nobody sits at a terminal. */
  readonly askHidden: ((question: string) => Promise<string>) | undefined;
}

/** A command that cannot do what it was told: the message says why and what to do. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Called the wrong way. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
