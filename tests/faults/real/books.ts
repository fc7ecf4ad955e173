import { workUntil } from '../clients.js';
import { Ledger, type Verdict } from '../ledger.js';
import type { RealSystem } from './real-system.js';
import { ShopBook } from './shop.js';

/** Few of each by default, all of them with `--full`. */
export const full = process.env.FAULTS === 'full';

export interface Books {
  readonly ledger: Ledger;
  readonly shop: ShopBook;
}

/**
 * Clients create users, reset and change passwords and buy things while `faults` breaks what it will; afterwards everything comes to rest by itself and the
 * books must balance. Prints the counts as one line of JSON; `facts` adds to it.
 */
export async function keepBooks(
  system: RealSystem,
  name: string,
  faults: (books: Books) => Promise<void>,
  facts: () => Record<string, unknown> = () => ({}),
): Promise<Verdict> {
  const books: Books = { ledger: new Ledger(), shop: new ShopBook() };
  // Nothing is under way: what was left of the test before has been drained.
  system.sink.accepted.length = 0;
  let done = false;
  const stopped = () => done;
  const workers = [
    ...Array.from({ length: 4 }, () => workUntil(stopped, system, system.sink, books.ledger)),
    books.shop.shopUntil(stopped, system),
  ];
  try {
    await faults(books);
  } finally {
    done = true;
    await Promise.all(workers);
  }
  return settleBooks(system, name, books, facts());
}

/** Drains, compares, and holds the books to the promise. */
export async function settleBooks(
  system: RealSystem,
  name: string,
  { ledger, shop }: Books,
  facts: Record<string, unknown> = {},
): Promise<Verdict> {
  const { dead } = await system.drain();
  const purchases = await shop.settle(system);
  const verdict = await ledger.settle(() => system.client(), system.sink, system.excuses());
  const found = {
    lost: [...verdict.lost, ...purchases.lost],
    unexpected: [...verdict.unexpected, ...purchases.unexpected],
    tokensReused: verdict.tokensReused,
    wrongCopies: verdict.wrongCopies,
  };
  const { users, answered, unknown, mails, extraCopies } = verdict;
  const counts = { users, answered, unknown, paid: purchases.paid, mails, extraCopies };
  const wrong = Object.fromEntries(Object.entries(found).map(([what, list]) => [what, list.length]));
  print(name, { ...counts, ...wrong, dead, deaths: system.deaths(), ...facts });
  expect({ ...found, dead }).toEqual({ lost: [], unexpected: [], tokensReused: [], wrongCopies: [], dead: 0 });
  return verdict;
}

/** One line of JSON among what the run prints. */
export function print(fault: string, counts: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify({ fault, ...counts })}\n`);
}

/** A moment of ordinary work between faults, so that they meet it at any point. */
export const aWhile = (atMost: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * atMost));
