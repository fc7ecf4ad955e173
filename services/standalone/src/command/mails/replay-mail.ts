import type { Command } from 'commander';
import { withServices } from '../running-services.js';
import type { Terminal } from '../terminal.js';

/** `mail replay`. */
export function addReplayMail(parent: Command, terminal: Terminal): void {
  parent
    .command('replay')
    .description('send a mail again; one that carries a link is sent with a fresh link')
    .argument('<id>', 'of the mail')
    .action((id: string) =>
      withServices(terminal, async ({ mailer, context }) => {
        terminal.out(`${(await mailer.replayMail({ params: { id } }, context())).message}\n`);
      }),
    );
}
