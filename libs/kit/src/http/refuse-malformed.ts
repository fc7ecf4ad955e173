import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../problem.js';
import { traceOf } from './request-trace.js';
import { sendJson } from './respond.js';

/**
 * Refuses what node lets through though no server may serve it (RFC 9112 §3.2): no Host header or several, and a target that is no path and no URL. Otherwise a target
 * in absolute form becomes the path that it names, so that nothing behind this sees any other form. True when it was refused.
 */
export function refuseMalformed(request: IncomingMessage, response: ServerResponse): boolean {
  const hosts = countHosts(request.rawHeaders);
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    refuse(request, response, 400, 'There must be exactly one Host header');
    return true;
  }
  const target = request.url ?? '';
  if (target.startsWith('/') || target === '*') return false;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    refuse(request, response, 400, 'The request target is not valid');
    return true;
  }
  request.url = `${url.pathname}${url.search}`;
  return false;
}

/** An `Expect` other than `100-continue`: node's own answer has no body. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  refuse(request, response, 417, 'Only `Expect: 100-continue` can be met');
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count++;
  return count;
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, detail: string): void {
  const problem = new Problem('validation-failed', { detail });
  const document = { ...problem.toDocument(traceOf(request).requestId), status };
  // Its body, if any, is not read.
  response.setHeader('connection', 'close');
  sendJson(request, response, status, JSON.stringify(document), 'application/problem+json; charset=utf-8');
}
