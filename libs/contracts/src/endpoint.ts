import type { z } from 'zod';
import type { ErrorCode } from './errors.js';

/** Methods that the public and the internal interfaces use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An answer that is no refusal. `headers`: those that carry something for the client, and what it is. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  readonly body: z.ZodType;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One operation of an HTTP interface, the single source for validation, types, the typed client and OpenAPI.
 * `path` uses express's `:name` for parameters; each of them is described in `params`.
 */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Who may call it through the gateway. Internal endpoints ask for a service token instead and say `service`. */
  readonly access: 'public' | 'session' | 'admin' | 'service';
  /** A GET that changes something, as the contract with clients asks: it has no HEAD. */
  readonly changesState?: boolean;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Counted by no general limit (health checks, the provider's webhook). */
  readonly limited?: false;
  /** The body has any content type and is not parsed: the handler reads it byte for byte from its exchange (webhooks, P18). */
  readonly rawBody?: boolean;
  /** Largest body in bytes, where it is not the server's usual limit (S71). */
  readonly bodyLimit?: number;
  readonly success: Answer;
  /** Answers beside the success that are no refusals either: a redirect, a health that is bad. */
  readonly otherAnswers?: readonly Answer[];
  /** Every refusal that this operation itself can answer with; those of every request (404, 405, 413 …) are added by OpenAPI. */
  readonly refusals: readonly ErrorCode[];
}

export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type Part<E, K extends 'params' | 'query' | 'body'> = E extends { readonly [key in K]: infer Z extends z.ZodType }
  ? { [key in K]: z.output<Z> }
  : unknown;

type RawPart<E, K extends 'params' | 'query' | 'body'> = E extends { readonly [key in K]: infer Z extends z.ZodType }
  ? { [key in K]: z.input<Z> }
  : unknown;

/** What a handler receives: parsed parts only. */
export type ParsedInput<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;

/** What a caller gives: the parts before parsing (defaults may be left out). */
export type CallerInput<E extends Endpoint> = RawPart<E, 'params'> & RawPart<E, 'query'> & RawPart<E, 'body'>;

/** The JSON body of the success answer. */
export type OutputOf<E extends Endpoint> = z.output<E['success']['body']>;
