import type { Command } from 'commander';
import { choosePassword, type PasswordOptions, withPasswordOptions } from '../choose-password.js';
import { withServices } from '../running-services.js';
import type { Terminal } from '../terminal.js';
import { findUser } from './find-user.js';

/** `user set-password`. */
export function addSetPassword(parent: Command, terminal: Terminal): void {
  withPasswordOptions(
    parent
      .command('set-password')
      .description('set another password; ends every session of the user and tells it by mail'),
  )
    .argument('<user>', 'id or email')
    .action(async (named: string, options: PasswordOptions) => {
      const { password, made } = await choosePassword(terminal, options);
      await withServices(terminal, async (services) => {
        const { id, email } = await findUser(services, named);
        await services.users.updateUser({ params: { id: String(id) }, body: { password } }, services.context());
        terminal.out(`User ${id}, ${email}, has another password, and no session any more.\n`);
        if (made) terminal.out(`Password (shown this once): ${password}\n`);
      });
    });
}
