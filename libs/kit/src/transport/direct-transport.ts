import type { CallerInput, Endpoint, OutputOf } from '@latchkey/contracts';
import type { CallContext } from '../call-context.js';
import type { Clock } from '../clock.js';
import { withDeadline } from '../deadline.js';
import { Problem } from '../problem.js';
import type { Route, Transport } from '../route.js';
import { inSpan } from '../tracing/tracing.js';
import { parseJson } from './json.js';
import { noExchange } from './no-exchange.js';
import { parseInput, parseOutput } from './parse-input.js';
import { boundedContext, wireInput } from './wire-input.js';

/**
 * Calls the handler in this process. Input and output are parsed and pass through JSON, the deadline is kept, and an error that is no `Problem` becomes
 * `internal-error` (with its cause), as it would over HTTP.
 */
export function directTransport(options: { routes: () => readonly Route[]; clock: Clock }): Transport {
  const find = routeFinder(options.routes);
  return {
    async call<E extends Endpoint>(endpoint: E, input: CallerInput<E>, given: CallContext) {
      const route = find(endpoint);
      if (route === undefined) throw new Problem('not-found');
      const wire = wireInput(endpoint, input);
      const body = wire.body === undefined ? undefined : parseJson(wire.body);
      const context = boundedContext(given);
      const remaining = context.deadline - options.clock.now();
      const run = async () =>
        withDeadline(remaining, () =>
          route.handler(parseInput(route.endpoint, { ...wire, body }) as never, context, noExchange as never),
        );
      try {
        const output = await inSpan(() => ({ name: `${endpoint.method} ${endpoint.path}`, kind: 'internal' }), run);
        return JSON.parse(JSON.stringify(parseOutput(route.endpoint, output))) as OutputOf<E>;
      } catch (error) {
        throw error instanceof Problem ? error : new Problem('internal-error', { cause: error });
      }
    },
  };
}

/** Routes by method and path; read again when the service hands out another list. */
function routeFinder(routes: () => readonly Route[]): (endpoint: Endpoint) => Route | undefined {
  let known: readonly Route[] | undefined;
  let byOperation = new Map<string, Route>();
  return ({ method, path }) => {
    const current = routes();
    if (current !== known) {
      known = current;
      byOperation = new Map(current.map((route) => [`${route.endpoint.method} ${route.endpoint.path}`, route]));
    }
    return byOperation.get(`${method} ${path}`);
  };
}
