import type { Command } from 'commander';
import { asListing, collect, type Listing } from '../listing.js';
import { printList } from '../output.js';
import { withServices } from '../running-services.js';
import type { Terminal } from '../terminal.js';

const columns = ['id', 'queue', 'event', 'reason', 'attempts', 'died_at', 'replayed_at', 'request_id'];

/** `dead-letters list`. */
export function addListDeadLetters(parent: Command, terminal: Terminal): void {
  asListing(parent.command('list').description('list the dead letters of every service, newest first')).action(
    ({ limit, json }: Listing) =>
      withServices(terminal, async ({ deadLetters, context }) => {
        const lists = await Promise.all(
          Object.values(deadLetters).map((service) =>
            collect(limit, async (query) => {
              const { dead_letters: items, next } = await service.listDeadLetters({ query }, context());
              return { items, next };
            }),
          ),
        );
        const newest = lists.flat().sort((a, b) => b.died_at.localeCompare(a.died_at));
        printList(terminal, newest.slice(0, limit), columns, json === true);
      }),
  );
}
