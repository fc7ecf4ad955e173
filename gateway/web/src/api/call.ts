import type { CallerInput, OutputOf } from '@latchkey/contracts';
import { type Api, type OperationName, operations } from './operations.js';
import { Refusal } from './refusal.js';

interface Parts {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string | number | undefined>;
  readonly body?: unknown;
}

/** Longer than the slowest operation may take. */
const patience = 20_000;

/**
 * Calls an operation of the public API by its name, with the session's cookie. Gives the success body; throws a `Refusal` for everything else, a connection that failed included.
 * What is typed comes from the contracts; what arrives is not parsed again, since the gateway is of the same release as its pages.
 */
export async function call<K extends OperationName>(name: K, input: CallerInput<Api[K]>): Promise<OutputOf<Api[K]>> {
  const [method, path] = operations[name];
  const { params = {}, query = {}, body } = input as Parts;
  let response: Response;
  try {
    response = await fetch(addressOf(path, params, query), {
      method,
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new Refusal('offline');
  }
  const content = await response.json().catch(() => undefined);
  if (response.ok && content !== undefined) return content;
  if (typeof content?.code === 'string') throw new Refusal(content.code, content);
  // Health answers 503 in the shape of its success.
  if (name === 'showHealth' && content?.services !== undefined) return content;
  throw new Refusal('unreadable', { status: response.status });
}

function addressOf(path: string, params: Record<string, string>, query: NonNullable<Parts['query']>): string {
  const filled = path.replace(/:(\w+)/g, (_match, key: string) => encodeURIComponent(params[key] ?? ''));
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`;
}
