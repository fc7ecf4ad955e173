import { Problem, type Route } from '@latchkey/kit';
import { isUnavailable } from './unavailable.js';

function asProblem(error: unknown): unknown {
  if (error instanceof Problem || !isUnavailable(error)) return error;
  return new Problem('service-unavailable', { detail: 'The database is unavailable', retryAfter: 5, cause: error });
}

/** Runs something that uses the database; its absence becomes `Problem('service-unavailable')` (F15), every other error passes as it is. */
export async function guardDatabase<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asProblem(error);
  }
}

/** {@link guardDatabase} round every handler of a service's routes, in one place. */
export function guardRoutes(routes: readonly Route[]): Route[] {
  return routes.map(({ endpoint, handler }) => ({
    endpoint,
    handler: (input, context, exchange) => guardDatabase(async () => handler(input, context, exchange)),
  }));
}
