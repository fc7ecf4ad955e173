import type { Command } from 'commander';
import { withServices } from '../running-services.js';
import type { Terminal } from '../terminal.js';
import { findUser } from './find-user.js';

/** `user end-sessions`. */
export function addEndSessions(parent: Command, terminal: Terminal): void {
  parent
    .command('end-sessions')
    .description('end every session of a user')
    .argument('<user>', 'id or email')
    .action((named: string) =>
      withServices(terminal, async (services) => {
        const { id, email } = await findUser(services, named);
        await services.auth.endAllSessions({ params: { user_id: String(id) } }, services.context());
        terminal.out(`The sessions of user ${id}, ${email}, have ended.\n`);
      }),
    );
}
