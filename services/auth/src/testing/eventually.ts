/** Asks until `probe` answers with something, at most `within` ms: for what happens beside the request, such as the relay's publishing. */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  within = 8_000,
): Promise<Exclude<T, null | undefined | false>> {
  const giveUpAt = performance.now() + within;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found as Exclude<T, null | undefined | false>;
    if (performance.now() > giveUpAt) throw new Error(`Not within ${within} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
