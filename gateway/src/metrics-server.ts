import { createListener, type Listener, type Metrics } from '@latchkey/kit';
import express from 'express';

/** The gateway's metrics on a port of their own, since the outside reaches the gateway's. */
export function createMetricsServer(o: { metrics: Metrics; host: string; port: number }): Listener {
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/metrics', async (_request, response) => {
    const text = await o.metrics.text();
    response.setHeader('cache-control', 'no-store').setHeader('content-type', o.metrics.contentType).end(text);
  });
  return createListener({ name: 'gateway-metrics', app, host: o.host, port: o.port });
}
