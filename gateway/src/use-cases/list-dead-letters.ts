import type { DeadLetter, publicApi } from '@latchkey/contracts';
import { type CallContext, type Handler, Problem } from '@latchkey/kit';
import type { DeadLetterSources } from './dead-letter-sources.js';

/** Where each service's list goes on: the service's own cursor, or null before its first entry. A service that is not in it has no more. */
type Cursor = Readonly<Record<string, string | null>>;

/** One page of one service, and how to go on after any part of it. */
interface Page {
  readonly name: string;
  readonly letters: readonly DeadLetter[];
  readonly after: string | null;
  readonly next: string | null;
}

/** `limit`: how many at most; `requestId`: only what that request led to. */
interface Wish {
  readonly limit: number;
  readonly requestId: string | undefined;
}

/** The lists of all services as one, newest first. */
export function listDeadLetters(deps: { sources: DeadLetterSources }): Handler<typeof publicApi.listDeadLetters> {
  async function pageOf(name: string, after: string | null, wish: Wish, context: CallContext): Promise<Page> {
    const { limit, requestId } = wish;
    const query = {
      limit: String(limit),
      ...(after !== null && { after }),
      ...(requestId !== undefined && { request_id: requestId }),
    };
    const answer = await source(deps.sources, name).listDeadLetters({ query }, context).catch(noneWhereNoneAreKept);
    return { name, letters: answer.dead_letters, after, next: answer.next };
  }

  /** Cursors are a service's own, so the one in the middle of a page is had by asking for just that part of it. */
  async function cursorAfter(page: Page, { limit: taken, requestId }: Wish, context: CallContext) {
    const wish = { limit: taken, requestId };
    const at = (position: string | null): [string, string | null][] => [[page.name, position]];
    if (taken === 0) return page.letters.length === 0 ? [] : at(page.after);
    const next = taken === page.letters.length ? page.next : (await pageOf(page.name, page.after, wish, context)).next;
    return next === null ? [] : at(next);
  }

  return async ({ query: { limit, after, request_id: requestId } }, context) => {
    const cursor = after === undefined ? beginning(deps.sources) : decode(after, deps.sources);
    const pages = await Promise.all(
      Object.entries(cursor).map(([name, position]) => pageOf(name, position, { limit, requestId }, context)),
    );
    const merged = pages
      .flatMap((page) => page.letters.map((letter) => ({ page, letter })))
      .sort((a, b) => Date.parse(b.letter.died_at) - Date.parse(a.letter.died_at))
      .slice(0, limit);
    const rest = await Promise.all(
      pages.map((page) => {
        const taken = merged.filter((entry) => entry.page === page).length;
        return cursorAfter(page, { limit: taken, requestId }, context);
      }),
    );
    return { dead_letters: merged.map(({ letter }) => letter), next: encode(Object.fromEntries(rest.flat())) };
  };
}

/** A service that consumes nothing (yet) has no such list. */
function noneWhereNoneAreKept(error: unknown) {
  if (error instanceof Problem && error.code === 'not-found') return { dead_letters: [], next: null };
  throw error;
}

function beginning(sources: DeadLetterSources): Cursor {
  return Object.fromEntries(Object.keys(sources).map((name) => [name, null]));
}

function source(sources: DeadLetterSources, name: string) {
  const found = sources[name];
  if (found === undefined) throw new Error(`no dead letters of ${name}`);
  return found;
}

function encode(cursor: Cursor): string | null {
  return Object.keys(cursor).length === 0 ? null : Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function decode(text: string, sources: DeadLetterSources): Cursor {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof cursor === 'object' && cursor !== null && !Array.isArray(cursor)) {
      const entries = Object.entries(cursor).filter(([name]) => Object.hasOwn(sources, name));
      if (entries.every(([, position]) => position === null || typeof position === 'string')) {
        return Object.fromEntries(entries);
      }
    }
  } catch {
    // Falls through: it is none of ours.
  }
  throw new Problem('validation-failed', {
    errors: [{ path: 'query.after', message: 'must be the `next` of an earlier page' }],
  });
}
