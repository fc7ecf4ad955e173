import type { Endpoint } from '@latchkey/contracts';
import type { CallContext } from '../call-context.js';
import type { ClientOf, Transport } from '../route.js';

/** One method for each endpoint of `api`, carried by `transport`. */
export function createClient<const Api extends Record<string, Endpoint>>(
  api: Api,
  transport: Transport,
): ClientOf<Api> {
  return Object.fromEntries(
    Object.entries(api).map(([name, endpoint]) => [
      name,
      (input: never, context: CallContext) => transport.call(endpoint, input, context),
    ]),
  ) as unknown as ClientOf<Api>;
}
