import type { RequestHandler } from 'express';

/** Middleware one after the other as one: express works out the path anew before each that it is given. For what looks at every request and returns no promise. */
export function inTurn(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const step = (at: number): unknown => {
      const handler = handlers[at];
      if (handler === undefined) return next();
      return handler(request, response, (error?: unknown) => (error === undefined ? step(at + 1) : next(error)));
    };
    step(0);
  };
}
