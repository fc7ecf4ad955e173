import { type Clock, Problem, pathOf, type Step } from '@latchkey/kit';
import type { AddressOf } from './request-address.js';
import { createRequestLimit, requestsPerMinute } from './request-limit.js';

/** Probes must answer under any load, the provider's webhook is not one client's traffic, and a page's assets come with the page. */
const exempt = /^\/(health|livez|readyz|webhook\/[^/]+|(docs\/)?assets\/.+)\/?$/;

/**
 * The general limit. It stands before every other refusal, so that what is not counted is not worked on either: not even a body is read for somebody past it.
 */
export function limitRequests(options: { addressOf: AddressOf; clock: Clock; scale: number }): Step {
  const limit = createRequestLimit({ limit: Math.ceil(requestsPerMinute * options.scale), clock: options.clock });
  return (request, _response, next) => {
    if (exempt.test(pathOf(request))) return next();
    const retryAfter = limit(options.addressOf(request).network);
    if (retryAfter === undefined) return next();
    next(new Problem('rate-limited', { limit: 'requests-per-address', retryAfter }));
  };
}
