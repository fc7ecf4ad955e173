/**
 * The language of a mail: of the offered ones the one that an Accept-Language header (RFC 9110 §12.5.4) likes best, by its q-values; the header's order
 * decides between equals, and `de-AT` is served by `de`. Without a header, or when nothing fits, the first one offered.
 */
export function chooseLanguage<L extends string>(
  header: string | null,
  offered: readonly [L, ...L[]] | readonly L[],
): L {
  const fallback = offered[0] as L;
  const wishes = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map(parseWish)
    .filter((wish) => wish.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wishes) {
    if (tag === '*') return fallback;
    const found = offered.find((language) => fits(tag, language.toLowerCase()));
    if (found !== undefined) return found;
  }
  return fallback;
}

/** `de-AT` is served by `de`, and `pt` by `pt-BR`. */
function fits(wanted: string, offered: string): boolean {
  return wanted === offered || wanted.startsWith(`${offered}-`) || offered.startsWith(`${wanted}-`);
}

function parseWish(part: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const parsed = weight === undefined ? 1 : Number(weight);
  return { tag, weight: tag !== '' && parsed >= 0 && parsed <= 1 ? parsed : 0 };
}
