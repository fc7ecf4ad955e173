import type { IncomingMessage } from 'node:http';
import { acceptRequestId } from '../request-id.js';
import type { TraceIds } from '../tracing/tracing.js';

/** What the access log and the metrics say of a request; filled in on its way. */
export interface RequestTrace {
  requestId: string;
  /** The route's pattern, never the path: paths hold ids, and metrics need few of them. */
  pattern: string | undefined;
  principalId: number | undefined;
  /** Its OpenTelemetry trace, while there is tracing. */
  traceIds?: TraceIds | undefined;
}

/** Where a request carries it: a WeakMap of what lives so short costs the collector more than the rest of the trace. */
const carried = Symbol('trace');
type Carrier = IncomingMessage & { [carried]?: RequestTrace };

/** The request's trace, made at the first call. Its id is the incoming `x-request-id` when that is well-formed. */
export function traceOf(request: Carrier): RequestTrace {
  let trace = request[carried];
  if (trace === undefined) {
    trace = {
      requestId: acceptRequestId(request.headers['x-request-id']),
      pattern: undefined,
      principalId: undefined,
    };
    request[carried] = trace;
  }
  return trace;
}

/** The id that answers and logs of this request carry. An `authorize` that trusts no incoming id sets its own with `trace.requestId`. */
export function requestIdOf(request: IncomingMessage): string {
  return traceOf(request).requestId;
}
