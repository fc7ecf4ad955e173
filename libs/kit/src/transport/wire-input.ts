import type { Endpoint } from '@latchkey/contracts';
import type { CallContext, Client } from '../call-context.js';
import { Problem } from '../problem.js';

/** A call's input as HTTP would carry it: texts only. */
export interface WireInput {
  readonly params: Record<string, string>;
  readonly query: Record<string, string | string[]>;
  /** JSON, or `undefined` when there is no body. */
  readonly body: string | undefined;
}

type Parts = { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown };

const parameterNames = new Map<string, readonly string[]>();

/** Both transports turn their input into this first, so that a call cannot tell them apart. */
export function wireInput(endpoint: Endpoint, input: unknown): WireInput {
  const { params, query, body } = input as Parts;
  return {
    params: wireParams(endpoint.path, (params ?? {}) as Record<string, unknown>),
    query: endpoint.query === undefined ? {} : wireQuery((query ?? {}) as Record<string, unknown>),
    body: endpoint.body === undefined || body === undefined ? undefined : JSON.stringify(body),
  };
}

function wireParams(path: string, params: Record<string, unknown>): Record<string, string> {
  let names = parameterNames.get(path);
  if (names === undefined) {
    names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    parameterNames.set(path, names);
  }
  const wire: Record<string, string> = {};
  for (const name of names) {
    const value = String(params[name] ?? '');
    // An empty segment is another path.
    if (value === '') throw new Problem('not-found');
    if (!value.isWellFormed())
      throw new Problem('validation-failed', { errors: [{ path: `params.${name}`, message: 'must be Unicode text' }] });
    wire[name] = value;
  }
  return wire;
}

function wireQuery(query: Record<string, unknown>): Record<string, string | string[]> {
  const wire: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(query)) {
    const values = (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined)
      .map((item) => String(item).toWellFormed());
    const [first] = values;
    if (first !== undefined) wire[name] = values.length > 1 ? values : first;
  }
  return wire;
}

const MAX_CLIENT_TEXT = 512;

/** The client's own texts, bounded: they travel in a header. */
export function boundedContext(context: CallContext): CallContext {
  const { address, userAgent, languages } = context.client;
  if ((userAgent?.length ?? 0) <= MAX_CLIENT_TEXT && (languages?.length ?? 0) <= MAX_CLIENT_TEXT) return context;
  const client: Client = {
    address,
    userAgent: userAgent?.slice(0, MAX_CLIENT_TEXT) ?? null,
    languages: languages?.slice(0, MAX_CLIENT_TEXT) ?? null,
  };
  return { ...context, client };
}
