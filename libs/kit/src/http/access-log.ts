import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import type { Step } from './in-turn.js';
import { pathOf } from './path-of.js';
import { traceOf } from './request-trace.js';

/** Probes and scrapes come every few seconds and say nothing. */
const quiet = new Set(['/livez', '/readyz', '/metrics']);

/**
 * One line and one measurement a request: method, route pattern, status, milliseconds, request id, principal. Never bodies, queries or cookies (S26).
 * The first middleware of an app.
 */
export function accessLog(options: { logger: Logger; metrics?: Metrics }): Step {
  const { logger, metrics } = options;
  return (request, response, next) => {
    const started = performance.now();
    const trace = traceOf(request);
    const path = pathOf(request);
    response.once('close', () => {
      const milliseconds = performance.now() - started;
      const { method = '' } = request;
      const finished = response.writableFinished;
      const route = trace.pattern ?? 'unmatched';
      metrics?.observeRequest(method, route, finished ? response.statusCode : 499, milliseconds / 1000);
      logger[quiet.has(path) ? 'debug' : 'info'](
        {
          method,
          route,
          status: response.statusCode,
          ms: Math.round(milliseconds * 10) / 10,
          requestId: trace.requestId,
          // The line is written outside of the span.
          ...trace.traceIds,
          ...(trace.principalId !== undefined && { principalId: trace.principalId }),
          ...(!finished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
}
