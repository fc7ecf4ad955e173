import type { Command } from 'commander';
import { type RunningServices, withServices } from '../running-services.js';
import { CommandError, type Terminal } from '../terminal.js';

/** `dead-letters replay`. */
export function addReplayDeadLetter(parent: Command, terminal: Terminal): void {
  parent
    .command('replay')
    .description('put a dead letter back into its queue')
    .argument('<id>', 'of the dead letter: <queue>:<event id>')
    .action((id: string) =>
      withServices(terminal, async ({ deadLetters, context }) => {
        const owner = id.slice(0, id.indexOf('.')) as keyof RunningServices['deadLetters'];
        const service = Object.hasOwn(deadLetters, owner) ? deadLetters[owner] : undefined;
        if (!service) throw new CommandError(`There is no dead letter ${id}: an id begins with the name of its queue.`);
        terminal.out(`${(await service.replayDeadLetter({ params: { id } }, context())).message}\n`);
      }),
    );
}
