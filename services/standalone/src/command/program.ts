import { Command } from 'commander';
import { addBackup } from './backup/add-backup.js';
import { addRestore } from './backup/add-restore.js';
import { addDoctor } from './doctor/add-doctor.js';
import { addListDeadLetters } from './events/list-dead-letters.js';
import { addListEvents } from './events/list-events.js';
import { addReplayDeadLetter } from './events/replay-dead-letter.js';
import { addReplayEvent } from './events/replay-event.js';
import { addListKeys } from './keys/list-keys.js';
import { addRotateKeys } from './keys/rotate-keys.js';
import { addListMails } from './mails/list-mails.js';
import { addReplayMail } from './mails/replay-mail.js';
import type { Terminal } from './terminal.js';
import { addExport } from './transfer/add-export.js';
import { addImport } from './transfer/add-import.js';
import { addCreateUser } from './users/create-user.js';
import { addEndSessions } from './users/end-sessions.js';
import { addImportUsers } from './users/import-users.js';
import { addListUsers } from './users/list-users.js';
import { addSetPassword } from './users/set-password.js';

type AddCommand = (parent: Command, terminal: Terminal) => void;

/** What an operator can do with an installation as a whole. */
const wholes: readonly AddCommand[] = [addDoctor, addBackup, addRestore, addExport, addImport];

/** … and with what is in it. */
const groups: readonly { name: string; description: string; commands: readonly AddCommand[] }[] = [
  {
    name: 'user',
    description: 'users, of the running system',
    commands: [addListUsers, addCreateUser, addImportUsers, addSetPassword, addEndSessions],
  },
  {
    name: 'mail',
    description: 'the delivery log, of the running system',
    commands: [addListMails, addReplayMail],
  },
  {
    name: 'events',
    description: "the payment provider's events, of the running system",
    commands: [addListEvents, addReplayEvent],
  },
  {
    name: 'dead-letters',
    description: 'messages that could not be handled, of the running system',
    commands: [addListDeadLetters, addReplayDeadLetter],
  },
  { name: 'keys', description: 'the secrets in DATA_DIR or in files', commands: [addListKeys, addRotateKeys] },
];

export function createProgram(terminal: Terminal): Command {
  const program = new Command('latchkey')
    .description('Operates a Latchkey installation: the one that the environment and DATA_DIR name.')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(--help shows what there is)');
  for (const add of wholes) add(program, terminal);
  for (const { name, description, commands } of groups) {
    const group = program.command(name).description(description);
    for (const add of commands) add(group, terminal);
  }
  return program;
}
