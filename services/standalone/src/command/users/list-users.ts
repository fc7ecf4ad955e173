import type { Command } from 'commander';
import { asListing, collect, type Listing } from '../listing.js';
import { printList } from '../output.js';
import { withServices } from '../running-services.js';
import type { Terminal } from '../terminal.js';

const columns = ['id', 'email', 'first_name', 'last_name', 'role', 'createdAt', 'deletedAt'];

/** `user list`. */
export function addListUsers(parent: Command, terminal: Terminal): void {
  asListing(parent.command('list').description('list users by ascending id'))
    .option('--search <text>', 'only those whose email or name begins with this')
    .option('--deleted', 'deleted ones too')
    .action((options: Listing & { search?: string; deleted?: boolean }) =>
      withServices(terminal, async ({ users, context }) => {
        const { search, deleted, limit, json } = options;
        const filter = { ...(search && { q: search }), ...(deleted && { deleted: 'true' as const }) };
        const found = await collect(limit, async (page) => {
          const { users: items, next } = await users.listUsers({ query: { ...page, ...filter } }, context());
          return { items, next };
        });
        printList(terminal, found, columns, json === true);
      }),
    );
}
