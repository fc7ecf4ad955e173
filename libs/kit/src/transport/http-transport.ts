import { stringify as stringifyQuery } from 'node:querystring';
import type { CallerInput, Endpoint, OutputOf } from '@latchkey/contracts';
import type { CallContext } from '../call-context.js';
import { DEADLINE_HEADER, NOT_SERVING_HEADER } from '../call-headers.js';
import type { Clock } from '../clock.js';
import { Problem } from '../problem.js';
import type { Transport } from '../route.js';
import type { Component } from '../service.js';
import { createServiceTokenSigner } from '../service-token.js';
import { currentTraceparent, inSpan } from '../tracing/tracing.js';
import { type Answer, readAnswer } from './read-answer.js';
import { createServiceInstances, type ServiceInstance } from './service-instances.js';
import { boundedContext, type WireInput, wireInput } from './wire-input.js';

export interface HttpTransportOptions {
  /** `http://127.0.0.1:3001`; several instances of the service are asked in turn. */
  readonly baseUrls: readonly string[];
  /** The calling service's name, and the called one's. */
  readonly caller: string;
  readonly audience: string;
  readonly secret: string;
  readonly clock: Clock;
  /** Connections at once to each instance, default 64; further calls wait for one until their deadline. */
  readonly connections?: number;
}

const idempotent = new Set(['GET', 'PUT', 'DELETE']);
/** How a kept-alive connection that the other side has just closed shows itself; whether the call arrived is not known. */
const deadSocket = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** No connection came about, so that nothing was sent. */
const notConnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What became of one try. `not-begun`: surely nothing was done, whether it was sent or refused; `broken`: perhaps done, perhaps not. */
type Try =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'not-begun'; readonly result: () => Answer }
  | { readonly kind: 'broken'; readonly error: unknown };

/**
 * Calls a service over kept-alive connections, with a signed service token. What surely did not reach an instance goes to the next one; what may have is sent once
 * more only where doing it twice is doing it once. The other side's `Problem` is thrown as it was there; a service that cannot be reached, breaks off or takes too
 * long is `service-unavailable`. `stop` closes the connections.
 */
export function httpTransport(options: HttpTransportOptions): Transport & Component {
  const sign = createServiceTokenSigner(options);
  const instances = createServiceInstances(options.baseUrls, options.connections);

  async function send(
    { pool, prefix }: ServiceInstance,
    endpoint: Endpoint,
    wire: WireInput,
    context: CallContext,
  ): Promise<Answer> {
    const remaining = Math.floor(context.deadline - options.clock.now());
    if (!(remaining > 0)) throw unavailable('The answer took too long');
    const abort = new AbortController();
    const traceparent = currentTraceparent();
    const timer = setTimeout(() => abort.abort(), Math.min(remaining, 2 ** 31 - 1));
    try {
      const response = await pool.request({
        method: endpoint.method,
        path: prefix + pathOf(endpoint.path, wire),
        headers: {
          authorization: `Bearer ${sign(context)}`,
          'x-request-id': context.requestId,
          [DEADLINE_HEADER]: String(remaining),
          ...(traceparent !== undefined && { traceparent }),
          ...(wire.body !== undefined && { 'content-type': 'application/json' }),
        },
        body: wire.body ?? null,
        // The abort is exact; these would be late by up to a second.
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: abort.signal,
      });
      return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
    } finally {
      clearTimeout(timer);
    }
  }

  async function trySend(
    instance: ServiceInstance,
    endpoint: Endpoint,
    wire: WireInput,
    context: CallContext,
  ): Promise<Try> {
    try {
      const answer = await inSpan(
        () => ({
          name: `${endpoint.method} ${endpoint.path}`,
          kind: 'client',
          attributes: {
            'http.request.method': endpoint.method,
            // The pattern: an address would hold ids.
            'url.template': endpoint.path,
            'server.address': instance.host,
            'server.port': instance.port,
            'peer.service': options.audience,
          },
        }),
        async (span) => {
          const answered = await send(instance, endpoint, wire, context);
          span.set({ 'http.response.status_code': answered.status });
          if (answered.status >= 400) span.fail(String(answered.status));
          return answered;
        },
      );
      if (answer.headers[NOT_SERVING_HEADER] === undefined) return { kind: 'answered', answer };
      return { kind: 'not-begun', result: () => answer };
    } catch (error) {
      const code = codeOf(error);
      if (deadSocket.has(code)) return { kind: 'broken', error };
      if (!notConnected.has(code)) throw error;
      return {
        kind: 'not-begun',
        result() {
          throw error;
        },
      };
    }
  }

  async function sendPatiently(endpoint: Endpoint, wire: WireInput, context: CallContext): Promise<Answer> {
    const order = [...instances.inOrder()];
    let mayRepeat = idempotent.has(endpoint.method) && !endpoint.changesState;
    for (;;) {
      const instance = order.shift() as ServiceInstance;
      const tried = await trySend(instance, endpoint, wire, context);
      if (tried.kind === 'answered') return tried.answer;
      if (tried.kind === 'not-begun') {
        instances.failed(instance);
        if (order.length === 0) return tried.result();
      } else {
        if (!mayRepeat) throw tried.error;
        mayRepeat = false;
        // The connection was at fault, perhaps not the instance: it comes last.
        order.push(instance);
      }
    }
  }

  return {
    name: `http-transport-${options.audience}`,
    start: async () => {},
    stop: () => instances.close(),
    async call<E extends Endpoint>(endpoint: E, input: CallerInput<E>, context: CallContext) {
      const wire = wireInput(endpoint, input);
      const answer = await sendPatiently(endpoint, wire, boundedContext(context)).catch((error) => {
        throw error instanceof Problem ? error : unavailable(undefined, error);
      });
      return readAnswer(endpoint, answer) as OutputOf<E>;
    },
  };
}

function pathOf(pattern: string, wire: WireInput): string {
  const path = pattern.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(wire.params[name] ?? ''));
  const query = stringifyQuery(wire.query);
  return query === '' ? path : `${path}?${query}`;
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);

function unavailable(detail?: string, cause?: unknown): Problem {
  return new Problem('service-unavailable', { ...(detail !== undefined && { detail }), cause });
}
