import type { Command } from 'commander';
import { withServices } from '../running-services.js';
import type { Terminal } from '../terminal.js';

/** `events replay`. */
export function addReplayEvent(parent: Command, terminal: Terminal): void {
  parent
    .command('replay')
    .description('apply an event once more; its object is fetched as it is now')
    .argument('<id>', 'of the event')
    .action((id: string) =>
      withServices(terminal, async ({ payments, context }) => {
        terminal.out(`${(await payments.replayWebhookEvent({ params: { id } }, context())).message}\n`);
      }),
    );
}
