import { type Command, Option } from 'commander';
import { choosePassword, type PasswordOptions, withPasswordOptions } from '../choose-password.js';
import { withServices } from '../running-services.js';
import { type Terminal, UsageError } from '../terminal.js';

interface Options extends PasswordOptions {
  readonly firstName: string;
  readonly lastName: string;
  readonly role: 'admin' | 'member';
  readonly invite?: boolean;
}

/** `user create`. */
export function addCreateUser(parent: Command, terminal: Terminal): void {
  withPasswordOptions(
    parent.command('create').description('create a user; asks for the password unless told otherwise'),
  )
    .argument('<email>')
    .requiredOption('--first-name <name>')
    .requiredOption('--last-name <name>')
    .addOption(new Option('--role <role>').choices(['admin', 'member']).default('member'))
    .option('--invite', 'set no password: a link to set one is mailed')
    .action(async (email: string, options: Options) => {
      const { firstName, lastName, role, invite } = options;
      if (invite && (options.generate || options.passwordStdin)) throw new UsageError('--invite sets no password');
      const chosen = invite ? undefined : await choosePassword(terminal, options);
      await withServices(terminal, async ({ users, context }) => {
        const names = { first_name: firstName, last_name: lastName };
        const body = { email, ...names, role, ...(chosen && { password: chosen.password }) };
        const { user } = await users.createUser({ body }, context());
        terminal.out(`Created user ${user.id}, ${user.email}, ${user.role}.\n`);
        if (chosen?.made) terminal.out(`Password (shown this once): ${chosen.password}\n`);
        if (invite) terminal.out('An invitation is on its way.\n');
      });
    });
}
