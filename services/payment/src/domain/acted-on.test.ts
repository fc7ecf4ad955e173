import { actedOnAs } from './acted-on.js';

test.each([
  ['checkout.session.completed', 'checkout.session.completed'],
  ['customer.deleted', 'customer.deleted'],
  ['customer.subscription.updated', 'customer.subscription.*'],
  ['customer.subscription.trial.will_end', 'customer.subscription.*'],
  ['product.created', 'product.*'],
])('%s is acted on as %s', (type, as) => {
  expect(actedOnAs(type)).toBe(as);
});

test.each([
  'customer.created',
  'customer.subscription',
  'checkout.session.completed.more',
  'product',
  'payment_intent.succeeded',
  'invoice.*.paid',
  '',
  'toString',
  '__proto__',
  'constructor.name',
])('nothing follows from "%s"', (type) => {
  expect(actedOnAs(type)).toBeUndefined();
});
