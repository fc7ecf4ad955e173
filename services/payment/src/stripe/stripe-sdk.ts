import type Stripe from 'stripe';

/** Stripe's SDK, loaded at its first use: a start needs none of its several hundred modules. */
export function stripeSdk(): typeof Stripe {
  return require('stripe') as typeof Stripe;
}
