import type { CallerInput, Endpoint, OutputOf } from '../endpoint.js';

/** What one operation may be sent, and its answer to that. */
export interface OperationExample {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly answer: unknown;
  /** Answers of other statuses. */
  readonly others?: Readonly<Record<number, unknown>>;
}

/** An example for every operation of an interface, of the types that it is parsed to. */
export type ExamplesOf<Api extends Record<string, Endpoint>> = {
  readonly [K in keyof Api]: CallerInput<Api[K]> & {
    readonly answer: OutputOf<Api[K]>;
    readonly others?: Readonly<Record<number, OutputOf<Api[K]>>>;
  };
};
