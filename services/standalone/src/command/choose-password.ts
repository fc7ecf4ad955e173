import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { type Terminal, UsageError } from './terminal.js';

export interface PasswordOptions {
  readonly passwordStdin?: boolean;
  readonly generate?: boolean;
}

/** A password is never an argument: those are kept in the shell's history and shown in the list of processes. */
export function withPasswordOptions(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from standard input')
    .option('--generate', 'make a password and print it once');
}

/** The password as the options say, else asked for twice. */
export async function choosePassword(
  terminal: Terminal,
  { passwordStdin, generate }: PasswordOptions,
): Promise<{ password: string; made: boolean }> {
  if (passwordStdin && generate) throw new UsageError('Either --password-stdin or --generate');
  if (generate) return { password: randomBytes(15).toString('base64url'), made: true };
  if (passwordStdin) return { password: (await terminal.readInput()).replace(/\r?\n$/, ''), made: false };
  if (terminal.askHidden === undefined)
    throw new UsageError('No terminal to ask for the password: give --password-stdin or --generate');
  const password = await terminal.askHidden('New password: ');
  if (password !== (await terminal.askHidden('Once more: '))) throw new UsageError('The two are not the same');
  return { password, made: false };
}
