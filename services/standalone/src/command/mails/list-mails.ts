import { mailState } from '@latchkey/contracts';
import { type Command, Option } from 'commander';
import { asListing, collect, type Listing } from '../listing.js';
import { printList } from '../output.js';
import { withServices } from '../running-services.js';
import type { Terminal } from '../terminal.js';

const columns = ['id', 'template', 'to', 'state', 'attempts', 'last_answer', 'created_at', 'request_id'];

/** `mail list`. */
export function addListMails(parent: Command, terminal: Terminal): void {
  asListing(parent.command('list').description('list mails, newest first, with what the mail server said last'))
    .addOption(new Option('--state <state>', 'only those in this state').choices([...mailState.options]))
    .action(({ limit, json, state }: Listing & { state?: string }) =>
      withServices(terminal, async ({ mailer, context }) => {
        const mails = await collect(limit, async (page) => {
          const query = state === undefined ? page : { ...page, limit: '200' };
          const { mails: found, next } = await mailer.listMails({ query }, context());
          return { items: found.filter((mail) => state === undefined || mail.state === state), next };
        });
        const shown = mails.slice(0, limit);
        const rows = shown.map((mail) => ({
          ...mail,
          attempts: mail.attempts.length,
          last_answer: mail.attempts.at(-1)?.response,
        }));
        printList(terminal, json ? shown : rows, columns, json === true);
      }),
    );
}
