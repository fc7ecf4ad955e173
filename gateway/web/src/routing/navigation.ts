import { useEffect, useState } from 'preact/hooks';
import { matchRoute } from './routes.js';

const listeners = new Set<() => void>();
/** Counts navigations: 0 is the page the browser itself opened. */
let turn = 0;

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly turn: number;
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search), turn });

/** The place shown now; whoever uses it is drawn again when it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const update = () => setPlace(here());
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return place;
}

function changed(): void {
  turn++;
  for (const listener of listeners) listener();
}

/** Goes to one of our pages, without loading a document. `replace`: the page that leads on must not be where "back" ends. */
export function navigate(address: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  scrollTo(0, 0);
  changed();
}

/** To the login page, which leads back here afterwards. */
export function goToLogin(): void {
  navigate(`/login?next=${encodeURIComponent(location.pathname + location.search)}`, { replace: true });
}

/** Where to go after a login: `next` if it is one of our own pages, never another site's (an open redirect). */
export function placeAfterLogin(next: string | null): string {
  if (next === null || !URL.canParse(next, location.origin)) return '/account';
  const { origin, pathname, search } = new URL(next, location.origin);
  const pattern = matchRoute(pathname)?.pattern;
  const isGood = origin === location.origin && pattern !== undefined && pattern !== '/login';
  return isGood ? pathname + search : '/account';
}

/** Takes plain clicks on links to our own pages. Clicks with a modifier, other targets and other addresses stay the browser's. */
export function followLinks(): void {
  addEventListener('popstate', changed);
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.hash !== '' || !matchRoute(link.pathname)) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
