import type { Price, Product } from '@latchkey/contracts';

export type Choice = { readonly price: Price } | { readonly refusal: 'unknown' | 'ambiguous' | 'none' };

/** The price that a buyer means: the one named, which must be listed; the only one there is when none is named. */
export function choosePrice(products: readonly Product[], wanted: string | undefined): Choice {
  const prices = products.flatMap((product) => product.prices);
  if (wanted !== undefined) {
    const price = prices.find((candidate) => candidate.id === wanted);
    return price === undefined ? { refusal: 'unknown' } : { price };
  }
  const [only, ...others] = prices;
  if (only === undefined) return { refusal: 'none' };
  return others.length > 0 ? { refusal: 'ambiguous' } : { price: only };
}
