/** A wait that ends early when `signal` is aborted. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** Milliseconds before try number `tries` (from 0): doubling from 0.2 s to 10 s, between half and the whole of it, so that clients come back one by one (F8). */
export function reconnectDelay(tries: number, random: () => number): number {
  return Math.min(10_000, 200 * 2 ** Math.min(tries, 10)) * (0.5 + 0.5 * random());
}
