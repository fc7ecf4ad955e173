import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Problem } from '@latchkey/kit';
import { type Command, Option } from 'commander';
import { inWords } from '../in-words.js';
import { type RunningServices, withServices } from '../running-services.js';
import { CommandError, type Terminal, UsageError } from '../terminal.js';
import { type ImportedUser, readUsers } from './read-users.js';

interface Options {
  readonly format?: 'csv' | 'jsonl';
  readonly invite?: boolean;
  readonly dryRun?: boolean;
}

/** `user import`. A file with a fault imports nobody; one that broke off in the middle may simply be given again: who is there already is passed over. */
export function addImportUsers(parent: Command, terminal: Terminal): void {
  parent
    .command('import')
    .description(
      'create the users of a CSV file (with a header) or a JSONL file: email, first_name, last_name, role, password_hash (bcrypt: $2a$, $2b$, $2y$)',
    )
    .argument('<file>', '- for standard input')
    .addOption(new Option('--format <format>', 'default: by the name of the file').choices(['csv', 'jsonl']))
    .option('--invite', 'invite those without a password_hash by mail, instead of refusing them')
    .option('--dry-run', 'only check the file')
    .action(async (file: string, options: Options) => {
      const { users, faults } = readUsers(await read(terminal, file), options.format ?? formatOf(file));
      const all = [...faults, ...(options.invite ? [] : withoutHash(users))].sort((a, b) => a.line - b.line);
      if (all.length > 0) {
        const lines = all.map(({ line, message }) => `  line ${line}: ${message}`);
        throw new CommandError(`Nobody was imported:\n${lines.join('\n')}`);
      }
      if (options.dryRun) return terminal.out(`${users.length} users could be imported.\n`);
      await withServices(terminal, (services) => importAll(terminal, services, users));
    });
}

async function importAll(
  terminal: Terminal,
  services: RunningServices,
  users: readonly { line: number; user: ImportedUser }[],
): Promise<void> {
  const count = { created: 0, exists: 0 };
  const refused: string[] = [];
  for (const { line, user } of users) {
    try {
      count[await importOne(services, user)] += 1;
    } catch (error) {
      if (!(error instanceof Problem)) throw stopped(error, line);
      refused.push(`  line ${line}: ${inWords(error)}`);
    }
  }
  terminal.out(`${count.created} created, ${count.exists} there already, ${refused.length} refused.\n`);
  if (refused.length > 0) throw new CommandError(`Not imported:\n${refused.join('\n')}`);
}

async function importOne({ users, context }: RunningServices, user: ImportedUser): Promise<'created' | 'exists'> {
  const { password_hash, ...rest } = user;
  try {
    if (password_hash === undefined) await users.createUser({ body: rest }, context());
    else await users.importUser({ body: { ...rest, password_hash } }, context());
    return 'created';
  } catch (error) {
    if (error instanceof Problem && error.code === 'email-taken') return 'exists';
    throw error;
  }
}

function stopped(error: unknown, line: number): unknown {
  if (!(error instanceof CommandError)) return error;
  return new CommandError(`${error.message}\nStopped at line ${line}: give the same file again to go on.`);
}

async function read(terminal: Terminal, file: string): Promise<string> {
  try {
    return file === '-' ? await terminal.readInput() : readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`);
  }
}

function formatOf(file: string): 'csv' | 'jsonl' {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (['.jsonl', '.ndjson'].includes(extension)) return 'jsonl';
  throw new UsageError(`--format is needed: the name of ${file} does not tell`);
}

function withoutHash(users: readonly { line: number; user: ImportedUser }[]) {
  return users
    .filter(({ user }) => user.password_hash === undefined)
    .map(({ line }) => ({ line, message: 'has no password_hash (--invite mails an invitation)' }));
}
