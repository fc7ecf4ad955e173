import { createPrice, createProduct } from './api/products.js';
import type { World } from './world.js';

const products = [
  {
    name: 'Starter kit',
    description: 'Everything to begin with, bought once.',
    prices: [{ unit_amount: '1900', currency: 'usd' }],
  },
  {
    name: 'Team plan',
    description: 'For a whole team, month by month or for a year.',
    prices: [
      { unit_amount: '1200', currency: 'eur', recurring: { interval: 'month' } },
      { unit_amount: '12000', currency: 'eur', recurring: { interval: 'year' } },
    ],
  },
  {
    name: 'Tokyo workshop',
    description: 'One seat. Prices in yen have no decimals.',
    prices: [{ unit_amount: '4800', currency: 'jpy' }],
  },
];

/** A few things to buy, the first time: one-time and recurring prices, one in a currency without decimals. */
export function seed(world: World): void {
  if (world.store.all('product').length > 0) return;
  world.silent = true;
  world.store.change(() => {
    for (const { prices, ...product } of products) {
      const { id } = createProduct(world, product);
      for (const price of prices) createPrice(world, { ...price, product: id });
    }
  });
  world.silent = false;
}
