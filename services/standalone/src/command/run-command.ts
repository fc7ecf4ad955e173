import { ConfigError, Problem } from '@latchkey/kit';
import { CommanderError } from 'commander';
import { inWords } from './in-words.js';
import { createProgram } from './program.js';
import { CommandError, type Terminal, UsageError } from './terminal.js';

/** Runs `latchkey <words>`. Exit code: 0 done, 1 it could not be done (all that went wrong is told), 2 called the wrong way. Never rejects for what a person can mend. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError) return told(terminal, error.message, 2);
    if (error instanceof CommandError || error instanceof ConfigError) return told(terminal, error.message, 1);
    if (error instanceof Problem) return told(terminal, inWords(error), 1);
    throw error;
  }
}

function told(terminal: Terminal, message: string, code: number): number {
  terminal.err(`${message}\n`);
  return code;
}
