import { withinTime } from '@latchkey/kit';
import type Stripe from 'stripe';
import { ProviderError } from '../payment-provider.js';
import { stripeSdk } from './stripe-sdk.js';

/** What the SDK threw, in the port's terms. */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof stripeSdk().errors.StripeError)) return error;
  const details = {
    ...(error.param !== undefined && { param: error.param }),
    ...(error.code !== undefined && { code: error.code }),
    replayed: error.headers?.['idempotent-replayed'] === 'true',
    cause: error,
  };
  return new ProviderError(faultOf(error), `Stripe: ${error.type}: ${error.message}`, details);
}

function faultOf(error: Stripe.errors.StripeError): ProviderError['fault'] {
  const status = error.statusCode ?? 0;
  if (error instanceof stripeSdk().errors.StripeConnectionError || status === 429 || status === 503 || status === 409)
    return 'unavailable';
  if (status === 404 || error.code === 'resource_missing') return 'missing';
  if (status >= 500 || status === 401 || status === 403 || error instanceof stripeSdk().errors.StripeAPIError)
    return 'failed';
  return 'rejected';
}

/**
 * Runs calls of the SDK within a time that includes its retries and a provider that sends byte after byte, which the SDK's own time limit (of silence on
 * the socket) does not notice (F30).
 */
export async function callStripe<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  try {
    return await withinTime(Math.max(milliseconds, 0), work, () => {
      return new ProviderError('unavailable', `Stripe did not answer within ${milliseconds} ms`);
    });
  } catch (error) {
    throw toProviderError(error);
  }
}

/** `null` where Stripe has no such object. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProviderError && error.fault === 'missing') return null;
    throw error;
  }
}
