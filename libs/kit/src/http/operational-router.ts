import type { ServiceHealth } from '@latchkey/contracts';
import express, { type RequestHandler } from 'express';
import type { Metrics } from '../metrics.js';
import { traceOf } from './request-trace.js';
import { sendJson } from './respond.js';

export interface OperationalRouterOptions {
  /** Whether every part has started and none is being stopped. */
  readonly started: () => boolean;
  readonly health: () => Promise<ServiceHealth>;
  /** Left out where the outside can reach: metrics never pass through the gateway. */
  readonly metrics?: Metrics;
  /** False where `/health` is an endpoint of its own (the gateway's tells of the whole system). */
  readonly withHealth?: boolean;
}

/** `/livez`: the process answers. `/readyz`: send it work. `/health`: what it says of itself; 503 when down. `/metrics`: Prometheus. */
export function createOperationalRouter(options: OperationalRouterOptions): RequestHandler {
  const router = express.Router();
  router.get('/livez', (request, response) => sendJson(request, response, 200, '{"status":"ok"}'));
  router.get('/readyz', async (request, response) => {
    const ready = options.started() && (await options.health()).status !== 'down';
    sendJson(request, response, ready ? 200 : 503, JSON.stringify({ status: ready ? 'ok' : 'down' }));
  });
  if (options.withHealth !== false)
    router.get('/health', async (request, response) => {
      const health = await options.health();
      sendJson(request, response, health.status === 'down' ? 503 : 200, JSON.stringify(health));
    });
  const { metrics } = options;
  if (metrics)
    router.get('/metrics', async (_request, response) => {
      const text = await metrics.text();
      response.setHeader('cache-control', 'no-store').setHeader('content-type', metrics.contentType).end(text);
    });
  return (request, response, next) => {
    const path = request.path.toLowerCase().replace(/\/$/, '');
    if (!paths.has(path)) return next();
    traceOf(request).pattern = path;
    router(request, response, next);
  };
}

const paths = new Set(['/livez', '/readyz', '/health', '/metrics']);
