/**
 * Asks again until `probe` gives something other than null, undefined or false, at most `within` ms. For waiting on what another process or
 * a background worker does; never a stand-in for an answer that the caller could await.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  within = 10_000,
): Promise<Exclude<T, null | undefined | false>> {
  const giveUpAt = performance.now() + within;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found as Exclude<T, null | undefined | false>;
    if (performance.now() > giveUpAt) throw new Error(`Not within ${within} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
