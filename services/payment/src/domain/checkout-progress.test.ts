import { checkoutStatus } from '@latchkey/contracts';
import fc from 'fast-check';
import type { ProviderSession } from '../payment-provider.js';
import { advance, isUnsettled, statusOf } from './checkout-progress.js';

const anyStatus = fc.constantFrom(...checkoutStatus.options);

test('F27 what has ended never goes back, whatever is heard and however often', () => {
  fc.assert(
    fc.property(fc.array(anyStatus), (heard) => {
      let status = advance('open', 'open');
      for (const next of heard) {
        const before = status;
        status = advance(status, next);
        if (!isUnsettled(before) && status !== before) expect([before, status]).toEqual(['paid', 'refunded']);
        expect(advance(status, next)).toBe(status);
      }
    }),
  );
});

test('F27 nothing but a paid checkout is refunded', () => {
  for (const status of checkoutStatus.options)
    expect(advance(status, 'refunded') === 'refunded').toBe(status === 'paid' || status === 'refunded');
});

const session = (changes: Partial<ProviderSession>) =>
  ({ status: 'complete', paymentStatus: 'unpaid', paymentFailed: false, ...changes }) as ProviderSession;

test.each([
  [session({ status: 'open' }), false, 'open'],
  [session({ status: 'expired' }), false, 'expired'],
  [session({ paymentStatus: 'paid' }), false, 'paid'],
  [session({ paymentStatus: 'no_payment_required' }), false, 'paid'],
  [session({}), false, 'processing'],
  [session({}), true, 'failed'],
  [session({ paymentFailed: true }), false, 'failed'],
  [session({ paymentStatus: 'paid' }), true, 'paid'],
  [session({ status: 'open' }), true, 'open'],
])('a session %j, refused %p, means %s', (given, refused, expected) => {
  expect(statusOf(given, refused)).toBe(expected);
});
