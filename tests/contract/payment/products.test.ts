import { eventually } from '../../support/eventually.js';
import { refusal, startPayment, type TestPayment } from './start-payment.js';

let shop: TestPayment;
afterEach(() => shop.stop());

describe('products', () => {
  test('active ones with their prices, cached for a while, fetched afresh when an event tells of a change', async () => {
    shop = await startPayment({ delivers: true });
    const { products } = await shop.client.listProducts({}, shop.context());
    expect(products.map((product) => product.name).sort()).toEqual(['Starter kit', 'Team plan', 'Tokyo workshop']);
    expect(products.flatMap((product) => product.prices)).toContainEqual(
      expect.objectContaining({ currency: 'jpy', unit_amount: 4800, type: 'one_time', recurring: null }),
    );
    const calls = () => shop.wire.calls.filter(({ path }) => /^\/v1\/(products|prices)/.test(path)).length;
    const before = calls();
    await Promise.all(Array.from({ length: 5 }, () => shop.client.listProducts({}, shop.context())));
    expect(calls()).toBe(before);
    const changed = products.find((product) => product.name === 'Starter kit')?.id ?? '';
    await shop.stripe.products.update(changed, { active: false });
    await eventually(
      'the change to show',
      async () => (await shop.client.listProducts({}, shop.context())).products.length === 2,
    );
  });

  test('more than one page', async () => {
    shop = await startPayment({ processor: false });
    for (let at = 0; at < 105; at += 1) await shop.stripe.products.create({ name: `Thing ${at}` });
    expect((await shop.client.listProducts({}, shop.context())).products).toHaveLength(108);
  });

  test('older ones are served while the provider is down; with none at hand it is 502 or 503', async () => {
    shop = await startPayment({ processor: false });
    shop.wire.script = () => ({ status: 500 });
    expect(await refusal(shop.client.listProducts({}, shop.context()))).toMatchObject({
      status: 502,
      code: 'provider-failed',
    });
    shop.wire.script = () => 'close-before';
    expect(await refusal(shop.client.listProducts({}, shop.context()))).toMatchObject({
      status: 503,
      code: 'provider-unavailable',
    });
    shop.wire.script = () => 'pass';
    const { products } = await shop.client.listProducts({}, shop.context());
    shop.wire.script = () => 'close-before';
    shop.turnClock(3600);
    expect((await shop.client.listProducts({}, shop.context())).products).toEqual(products);
  });
});
