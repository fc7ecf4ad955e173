import { deviceInWords } from './account/device-in-words.js';
import { money } from './money.js';
import { priceInWords } from './price-in-words.js';

test.each([
  [1900, 'usd', /19(?![.,]00)/],
  [1950, 'eur', /19[.,]50/],
  [4800, 'jpy', /4.?800/],
  [12_345, 'kwd', /12[.,]345/],
])('an amount of %s %s', (amount, currency, expected) => {
  expect(money(amount, currency)).toMatch(expected);
});

test('a price and its rhythm', () => {
  const price = { id: 'price_1', currency: 'eur', unit_amount: 1200, type: 'recurring' as const };
  const every = (interval_count: number) =>
    priceInWords({ ...price, recurring: { interval: 'month', interval_count } });
  expect(every(1).rhythm).toBe('per month');
  expect(every(3).rhythm).toBe('every 3 months');
  expect(priceInWords({ ...price, recurring: null, unit_amount: null })).toEqual({ amount: 'Varies', rhythm: 'once' });
});

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox on Linux'],
  ['curl/8.5.0', 'curl'],
  ['shop-backend/1.2 (internal)', 'shop-backend/1.2'],
  [null, 'Unknown device'],
])('the device of %s', (userAgent, expected) => {
  expect(deviceInWords(userAgent)).toBe(expected);
});
