// Webhooks many times at once, late and against their order, through the gateway of the six processes.
import { eventually } from '../../support/eventually.js';
import { pressOnPaymentPage, priceOf } from '../../support/shopper.js';
import { full, print } from './books.js';
import { RealSystem } from './real-system.js';
import { ShopBook } from './shop.js';

const purchases = full ? 25 : 2;
/** Of the four events that a delayed payment brings about, each order once when all are run. */
const orders = full ? 24 : 4;

jest.setTimeout(full ? 30 * 60_000 : 5 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  system = await RealSystem.start();
});
afterAll(() => system?.dispose());
afterEach(() => system.provider.control({ duplicate: 0, hold: false }));

test(`F26 ${purchases} payments whose webhooks come twenty times at once: one effect, one receipt each`, async () => {
  await system.provider.control({ duplicate: 19 });
  const shop = new ShopBook();
  for (let purchase = 0; purchase < purchases; purchase += 1) await shop.buy(system);
  await eventually(
    'every copy answered with success',
    async () => (await system.provider.control({})).pending === 0,
    60_000,
  );
  const { dead } = await system.drain();
  const { lost, unexpected, ...counts } = await shop.settle(system);
  print('F26 twenty copies of each webhook', { ...counts, lost: lost.length, unexpected: unexpected.length, dead });
  expect({ lost, unexpected, dead, ...counts }).toEqual({
    ...{ lost: [], unexpected: [], dead: 0 },
    ...{ paid: purchases, refused: 0, receiptCopies: 0 },
  });
});

test(`F27 a history in ${orders} orders always ends paid, with one receipt`, async () => {
  const ends: string[] = [];
  const lengths = new Set<number>();
  for (let order = 0; order < orders; order += 1) {
    const client = system.client();
    const buyer = `orders${order}@example.net`;
    await system.provider.control({ hold: true });
    const { body } = await client.get(`/checkout?price=${await priceOf(client)}`);
    await pressOnPaymentPage(body.checkout.url, 'pay-later', buyer);
    const session = /cs_test_\w+/.exec(body.checkout.url)?.[0];
    const { held } = await system.provider.control({ conclude: { session, outcome: 'succeeded' } });
    lengths.add(held.length);
    await system.provider.control({
      release: permutation(
        held.map(({ id }) => id),
        full ? order : order * 7,
      ),
    });
    await system.provider.control({ hold: false });
    // Not by asking for the checkout, which would settle it itself.
    await eventually(`the receipt of order ${order}`, () => system.sink.to(buyer).length > 0, 60_000);
    ends.push((await client.get(`/checkout/${body.checkout.id}`)).body.checkout.status);
  }
  const { dead } = await system.drain();
  const receipts = Array.from({ length: orders }, (_, order) => system.sink.to(`orders${order}@example.net`).length);
  print('F27 webhooks out of order', {
    orders,
    events: [...lengths],
    paid: ends.filter((end) => end === 'paid').length,
    receipts: receipts.length,
    dead,
  });
  expect(ends).toEqual(Array(orders).fill('paid'));
  expect(receipts).toEqual(Array(orders).fill(1));
  expect(Math.min(...lengths)).toBeGreaterThan(1);
  expect(dead).toBe(0);
});

/** The nth order of these, by counting in factorials. */
function permutation<T>(items: readonly T[], nth: number): T[] {
  const rest = [...items];
  let number = nth;
  return items.map((_, at) => {
    const [next] = rest.splice(number % rest.length, 1) as [T];
    number = Math.floor(number / (items.length - at));
    return next;
  });
}
