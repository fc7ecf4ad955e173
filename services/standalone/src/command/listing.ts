import { type Command, InvalidArgumentError } from 'commander';

export interface Listing {
  readonly limit: number;
  readonly json?: boolean;
}

const PAGE = 200;

/** The options that every list has. */
export function asListing(command: Command): Command {
  return command
    .option('--limit <number>', 'at most so many', wholeNumber, 50)
    .option('--json', 'print JSON, for programs');
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

/** As many as asked for, page after page. */
export async function collect<Item>(
  limit: number,
  page: (query: { limit: string; after?: string }) => Promise<{ items: Item[]; next: string | number | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | undefined; ; ) {
    const wanted = Math.min(PAGE, limit - items.length);
    const found = await page({ limit: String(wanted), ...(after !== undefined && { after }) });
    items.push(...found.items);
    if (found.next === null || items.length >= limit) return items;
    after = String(found.next);
  }
}
