import type { IncomingHttpHeaders } from 'node:http';
import type { CallerInput, Endpoint, OutputOf, ParsedInput } from '@latchkey/contracts';
import type { CallContext } from './call-context.js';

/** The HTTP side of a call, for the few handlers that need it (cookies, `Location`, raw bytes). Only the gateway's handlers are given one. */
export interface Exchange {
  readonly headers: IncomingHttpHeaders;
  /** The body byte for byte; empty when there was none. */
  readonly rawBody: Buffer;
  readonly remoteAddress: string;
  status(code: number): void;
  setHeader(name: string, value: string): void;
  appendHeader(name: string, value: string): void;
}

/** Runs one operation: parsed input in, the success body out, at once when nothing has to be waited for; throws `Problem` to refuse. */
export type Handler<E extends Endpoint> = (
  input: ParsedInput<E>,
  context: CallContext,
  exchange: Exchange,
) => OutputOf<E> | Promise<OutputOf<E>>;

/** An endpoint and what runs it: one row of a service's `routes.ts`. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (input: never, context: CallContext, exchange: never) => unknown;
}

export function route<E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler };
}

/** Calls an operation of another service, wherever that runs. */
export type Call<E extends Endpoint> = (input: CallerInput<E>, context: CallContext) => Promise<OutputOf<E>>;

/** A typed client of an interface (`Record` of endpoints): one method an endpoint. */
export type ClientOf<Api extends Record<string, Endpoint>> = { readonly [K in keyof Api]: Call<Api[K]> };

/** Carries a call. Two implementations: a direct function call, and HTTP. Both parse input and output and honour the deadline. */
export interface Transport {
  call<E extends Endpoint>(endpoint: E, input: CallerInput<E>, context: CallContext): Promise<OutputOf<E>>;
}
