import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '../call-context.js';
import type { Logger } from '../logger.js';
import { pathOf } from './path-of.js';
import { traceOf } from './request-trace.js';

/** What the `latchkey` command calls itself in its service tokens. */
export const OPERATOR = 'operator';

/** One line for everything that the operator's command changed or tried to: what, who at which machine, what came of it (S26). Paths hold ids, never secrets. */
export function auditOperator(
  request: IncomingMessage,
  response: ServerResponse,
  client: Client,
  logger: Logger,
): void {
  if (request.method === 'GET') return;
  response.once('close', () => {
    const trace = traceOf(request);
    logger.info(
      {
        audit: 'operator',
        action: `${request.method} ${trace.pattern}`,
        path: pathOf(request),
        status: response.statusCode,
        by: client.userAgent,
        from: client.address,
        request_id: trace.requestId,
      },
      'operator',
    );
  });
}
