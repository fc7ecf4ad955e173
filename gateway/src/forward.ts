import type { CallerInput, Endpoint, OutputOf } from '@latchkey/contracts';
import type { Call, Handler } from '@latchkey/kit';

/**
 * Passes an operation on to the service that owns it. Params and query were parsed from text here and are written as text again on the way (kit's transports do that),
 * so the service parses them anew by the same schema; only the types cannot say that the two are one.
 */
export function forward<E extends Endpoint, Inner extends Endpoint>(call: Call<Inner>): Handler<E> {
  return (input, context) => call(input as CallerInput<Inner>, context) as Promise<OutputOf<E>>;
}
