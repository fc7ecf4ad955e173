import { stringify as stringifyQuery } from 'node:querystring';
import type { CallerInput, Endpoint, OutputOf } from '@latchkey/contracts';
import { Pool } from 'undici';
import type { CallContext } from '../call-context.js';
import { DEADLINE_HEADER } from '../call-headers.js';
import type { Clock } from '../clock.js';
import { Problem } from '../problem.js';
import type { Transport } from '../route.js';
import type { Component } from '../service.js';
import { createServiceTokenSigner } from '../service-token.js';
import { type Answer, readAnswer } from './read-answer.js';
import { boundedContext, type WireInput, wireInput } from './wire-input.js';

export interface HttpTransportOptions {
  /** `http://127.0.0.1:3001` */
  readonly baseUrl: string;
  /** The calling service's name, and the called one's. */
  readonly caller: string;
  readonly audience: string;
  readonly secret: string;
  readonly clock: Clock;
  /** Connections at once, default 64; further calls wait for one until their deadline. */
  readonly connections?: number;
}

const LARGEST_ANSWER = 32 * 1024 * 1024;
const idempotent = new Set(['GET', 'PUT', 'DELETE']);
/** How a kept-alive connection that the other side has just closed shows itself. */
const deadSocket = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Calls a service over kept-alive connections, with a signed service token. The other side's `Problem` is thrown as it was there; a service that cannot be
 * reached, breaks off or takes too long is `service-unavailable`. `stop` closes the connections.
 */
export function httpTransport(options: HttpTransportOptions): Transport & Component {
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const sign = createServiceTokenSigner(options);
  const pool = new Pool(origin, {
    connections: options.connections ?? 64,
    connect: { timeout: 5000 },
    maxResponseSize: LARGEST_ANSWER,
  });

  async function send(endpoint: Endpoint, wire: WireInput, context: CallContext): Promise<Answer> {
    const remaining = Math.floor(context.deadline - options.clock.now());
    if (!(remaining > 0)) throw unavailable('The answer took too long');
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), Math.min(remaining, 2 ** 31 - 1));
    try {
      const response = await pool.request({
        method: endpoint.method,
        path: prefix + pathOf(endpoint.path, wire),
        headers: {
          authorization: `Bearer ${sign(context)}`,
          'x-request-id': context.requestId,
          [DEADLINE_HEADER]: String(remaining),
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

  async function sendPatiently(endpoint: Endpoint, wire: WireInput, context: CallContext): Promise<Answer> {
    try {
      return await send(endpoint, wire, context);
    } catch (error) {
      if (!idempotent.has(endpoint.method) || !deadSocket.has(codeOf(error))) throw error;
      return send(endpoint, wire, context);
    }
  }

  return {
    name: `http-transport-${options.audience}`,
    start: async () => {},
    stop: () => pool.close(),
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
