import type { Command } from 'commander';
import { asListing, collect, type Listing } from '../listing.js';
import { printList } from '../output.js';
import { withServices } from '../running-services.js';
import type { Terminal } from '../terminal.js';

const columns = ['id', 'type', 'state', 'attempts', 'last_error', 'received_at', 'request_id'];

/** `events list`. */
export function addListEvents(parent: Command, terminal: Terminal): void {
  asListing(parent.command('list').description("list the payment provider's events, newest first")).action(
    ({ limit, json }: Listing) =>
      withServices(terminal, async ({ payments, context }) => {
        const events = await collect(limit, async (query) => {
          const { webhook_events: items, next } = await payments.listWebhookEvents({ query }, context());
          return { items, next };
        });
        printList(terminal, events, columns, json === true);
      }),
  );
}
