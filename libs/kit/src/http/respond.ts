import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../logger.js';
import { Problem } from '../problem.js';
import { RequestAborted } from './receive-body.js';
import { traceOf } from './request-trace.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Sends a JSON text. Answers are never cached (S31) unless a handler said otherwise. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  type = JSON_TYPE,
): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  response.setHeader('x-request-id', traceOf(request).requestId);
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store');
  // RFC 9110 §15.5.2: every 401 names a scheme; none that makes a browser ask for a password (S41).
  if (status === 401 && !response.hasHeader('www-authenticate'))
    response.setHeader('www-authenticate', 'Session realm="latchkey"');
  if (status === 204 || status === 304) {
    response.end();
    return;
  }
  response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

/**
 * The one place that turns an error into an answer. A `Problem` is sent as it is; anything else is logged with its stack and answered `internal-error`
 * without a word of it (S72).
 */
export function sendError(request: IncomingMessage, response: ServerResponse, error: unknown, logger: Logger): void {
  if (error instanceof RequestAborted || response.destroyed) return;
  const { requestId, pattern } = traceOf(request);
  const problem = error instanceof Problem ? error : new Problem('internal-error', { cause: error });
  if (problem.cause !== undefined && problem.status >= 500)
    logger[problem.status === 500 ? 'error' : 'warn'](
      { requestId, method: request.method, route: pattern, code: problem.code, err: problem.cause },
      'request failed',
    );
  if (response.headersSent) {
    // Too late to tell: a broken connection is better than half an answer that looks whole.
    response.destroy();
    return;
  }
  if (problem.retryAfter !== undefined) response.setHeader('retry-after', Math.ceil(problem.retryAfter));
  if (problem.code === 'service-token-rejected') response.setHeader('www-authenticate', 'Bearer realm="latchkey"');
  // What could not be drained within bounds still lies in the connection.
  if (problem.code === 'body-too-large' && !request.complete) response.setHeader('connection', 'close');
  sendJson(request, response, problem.status, JSON.stringify(problem.toDocument(requestId)), PROBLEM_TYPE);
}
