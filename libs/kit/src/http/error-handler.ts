import type { ErrorCode } from '@latchkey/contracts';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from '../logger.js';
import { Problem } from '../problem.js';
import { sendError } from './respond.js';

/** What express and its middleware refuse on their own. */
const codes: Partial<Record<number, ErrorCode>> = {
  400: 'validation-failed',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'body-too-large',
  415: 'unsupported-media-type',
};

/** The last middleware of an app: errors of anything but endpoints get the same form of answer. */
export function problemErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const code = error instanceof Problem ? undefined : codes[Number(error?.status)];
    sendError(request, response, code === undefined ? error : new Problem(code), logger);
  };
}

/** 404 for every path that nothing before it took. */
export function notFoundHandler(logger: Logger): RequestHandler {
  return (request, response) => sendError(request, response, new Problem('not-found'), logger);
}
