import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { Endpoint } from '@latchkey/contracts';
import type { CallContext } from '../call-context.js';
import { type Clock, systemClock } from '../clock.js';
import { withDeadline } from '../deadline.js';
import type { Logger } from '../logger.js';
import { Problem } from '../problem.js';
import type { Route } from '../route.js';
import { currentTraceIds, inSpan } from '../tracing/tracing.js';
import { parseJsonBytes } from '../transport/json.js';
import { noExchange } from '../transport/no-exchange.js';
import { parseInput, parseOutput } from '../transport/parse-input.js';
import { HttpExchange } from './http-exchange.js';
import type { Step } from './in-turn.js';
import { pathOf } from './path-of.js';
import { hasBody, receiveBody, requireJson } from './receive-body.js';
import { traceOf } from './request-trace.js';
import { sendError, sendJson } from './respond.js';
import { RouteTable } from './route-table.js';

export interface EndpointRouterOptions {
  readonly routes: readonly Route[];
  /** Bytes; an endpoint may have its own. */
  readonly bodyLimit: number;
  /** Refuses by throwing a `Problem` (cross-site 403, session 401, rights 403), or says on whose behalf the call is made. */
  readonly authorize: (
    request: IncomingMessage,
    endpoint: Endpoint,
    response: ServerResponse,
  ) => CallContext | Promise<CallContext>;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Hand on what no route is for, be it by its path or by its method, instead of answering 404 or 405. */
  readonly fallThrough?: boolean;
  /** False for services: their handlers must not know which transport called them. */
  readonly withExchange?: boolean;
}

/**
 * Serves endpoints over HTTP with the one order of refusals: path and method (404, 405), size (413), content type (415), `authorize` (403, 401, 403),
 * then the body and the other parts (400).
 */
export function createEndpointRouter(options: EndpointRouterOptions): Step {
  const table = new RouteTable(options.routes);
  const { logger, authorize, clock = systemClock } = options;

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    params: Record<string, string>,
  ) {
    const { endpoint, handler } = route;
    const { headers } = request;
    const bytes = hasBody(headers) ? await receiveBody(request, endpoint.bodyLimit ?? options.bodyLimit) : undefined;
    if (bytes?.length && !endpoint.rawBody) requireJson(headers);

    const authorized = authorize(request, endpoint, response);
    const context = authorized instanceof Promise ? await authorized : authorized;
    const trace = traceOf(request);
    trace.requestId = context.requestId;
    trace.principalId = context.principal?.userId;

    const query = endpoint.query && queryOf(request.url ?? '');
    const body = endpoint.body && !endpoint.rawBody && bytes?.length ? parseJsonBytes(bytes) : undefined;
    const input = parseInput(endpoint, { params, query, body });
    const exchange = options.withExchange === false ? undefined : new HttpExchange(request, response, bytes);
    const answer = withDeadline(context.deadline - clock.now(), () =>
      handler(input as never, context, (exchange ?? noExchange) as never),
    );
    const output = answer instanceof Promise ? await answer : answer;
    const status = exchange?.chosenStatus ?? endpoint.success.status;
    sendJson(request, response, status, JSON.stringify(parseOutput(endpoint, output)));
  }

  return (request, response, next) => {
    const match = table.find(request.method ?? '', pathOf(request));
    if (match?.kind !== 'route' && options.fallThrough) return next();
    if (match === undefined) return sendError(request, response, new Problem('not-found'), logger);
    if (match.kind === 'other-methods') {
      response.setHeader('allow', match.allow);
      return sendError(request, response, new Problem('method-not-allowed'), logger);
    }
    const { method, path } = match.route.endpoint;
    traceOf(request).pattern = path;
    void inSpan(
      () => ({
        name: `${method} ${path}`,
        kind: 'server',
        parent: request.headers.traceparent as string | undefined,
        attributes: { 'http.request.method': method, 'http.route': path, 'url.scheme': 'http' },
      }),
      async (span) => {
        traceOf(request).traceIds = currentTraceIds();
        await serve(request, response, match.route, match.params).catch((error) =>
          sendError(request, response, error, logger),
        );
        span.set({ 'http.response.status_code': response.statusCode });
        if (response.statusCode >= 500) span.fail(String(response.statusCode));
      },
    );
  };
}

function queryOf(url: string): unknown {
  const start = url.indexOf('?');
  return start === -1 ? {} : parseQuery(url.slice(start + 1));
}
