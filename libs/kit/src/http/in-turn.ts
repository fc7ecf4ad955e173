import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '../logger.js';
import { Problem } from '../problem.js';
import { asProblem } from './as-problem.js';
import { sendError } from './respond.js';

/** Answers a request or hands it on, at once. Middleware of express and its apps are steps as well, if they need no app around them. */
export type Step = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => unknown;

/** A server's listener that takes the steps one after the other. What one of them fails with is answered in the form of every refusal; what none of them answers is 404. */
export function inTurn(logger: Logger, ...steps: readonly Step[]): RequestListener {
  return (request, response) => {
    const fail = (error: unknown) => sendError(request, response, asProblem(error), logger);
    const take = (at: number): void => {
      const step = steps[at];
      try {
        if (step === undefined) throw new Problem('not-found');
        step(request, response, (error?: unknown) => (error === undefined ? take(at + 1) : fail(error)));
      } catch (error) {
        // Outside of express nobody else would catch it, and it would end the process.
        fail(error);
      }
    };
    take(0);
  };
}
