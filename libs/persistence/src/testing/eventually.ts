/** Asks again until `probe` gives something true, at most `within` ms. */
export async function eventually(what: string, probe: () => unknown, within = 10_000): Promise<void> {
  const giveUpAt = performance.now() + within;
  while (!(await probe())) {
    if (performance.now() > giveUpAt) throw new Error(`Not within ${within} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
