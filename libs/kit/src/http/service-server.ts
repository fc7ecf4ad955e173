import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint, ServiceHealth } from '@latchkey/contracts';
import express, { type Router } from 'express';
import type { CallContext } from '../call-context.js';
import { DEADLINE_HEADER, NOT_SERVING_HEADER, remainingOf } from '../call-headers.js';
import type { Clock } from '../clock.js';
import { createHealthProbe } from '../health.js';
import type { Logger } from '../logger.js';
import { createMetrics, type Metrics } from '../metrics.js';
import { Problem } from '../problem.js';
import type { LateService, Service } from '../service.js';
import { createServiceTokenVerifier } from '../service-token.js';
import { accessLog } from './access-log.js';
import { auditOperator, OPERATOR } from './audit-operator.js';
import { createEndpointRouter } from './endpoint-router.js';
import { inTurn, type Step } from './in-turn.js';
import { createListener, type Listener } from './listener.js';
import { createOperationalRouter } from './operational-router.js';
import { requestIdOf } from './request-trace.js';

export interface ServiceServerOptions {
  /** A late one answers 503, and is live but not ready, until it is there (F17). */
  readonly service: Service | LateService;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics?: Metrics;
  readonly host: string;
  readonly port: number;
  readonly serviceSecrets: readonly string[];
  readonly bodyLimit: number;
  /** Open to everybody who reaches the port, mounted before the guard (the mailbox page). */
  readonly routers?: readonly { readonly path: string; readonly router: Router }[];
  /** When the whole process is up, for `/readyz`; default: once this server listens. */
  readonly started?: () => boolean;
}

const starting: ServiceHealth = { status: 'down', checks: { start: { status: 'down', detail: 'starting' } } };

/**
 * A service over HTTP: its routes behind the service token, `/livez`, `/readyz`, `/health` and `/metrics` open. It does not start the service itself:
 * add the service to the lifecycle before it.
 */
export function createServiceServer(options: ServiceServerOptions): Listener {
  const { service, clock } = options;
  const logger = options.logger.child({ component: `${service.name}-server` });
  const metrics = options.metrics ?? createMetrics(service.name);
  const verify = createServiceTokenVerifier({ audience: service.name, secrets: options.serviceSecrets, clock });
  let listening = false;

  const authorize = (request: IncomingMessage, _endpoint: Endpoint, response: ServerResponse): CallContext => {
    const { caller, principal, client } = verify(request.headers.authorization);
    if (caller === OPERATOR) auditOperator(request, response, client, logger);
    const deadline = clock.now() + remainingOf(request.headers[DEADLINE_HEADER]);
    return { requestId: requestIdOf(request), deadline, principal, client };
  };

  let host: { operations: Step; refusals: Step; health: () => Promise<ServiceHealth> } | undefined;
  function hosted(): typeof host {
    const current = 'current' in service ? service.current() : service;
    if (host === undefined && current !== undefined) {
      const { routes, checks } = current;
      const endpoints = { routes, bodyLimit: options.bodyLimit, authorize, logger, clock, withExchange: false };
      host = {
        operations: createEndpointRouter({ ...endpoints, fallThrough: true }),
        refusals: createEndpointRouter(endpoints),
        health: createHealthProbe(checks),
      };
    }
    return host;
  }

  const app = express().disable('x-powered-by').disable('etag');
  app.use(
    createOperationalRouter({
      started: () => listening && (options.started?.() ?? true),
      health: async () => hosted()?.health() ?? starting,
      metrics,
    }),
  );
  for (const { path, router } of options.routers ?? []) app.use(path, router);
  app.use((request, response, next) => {
    const there = hosted();
    if (there) return there.refusals(request, response, next);
    response.setHeader(NOT_SERVING_HEADER, 'starting');
    next(new Problem('service-unavailable', { detail: 'The service is starting', retryAfter: 1 }));
  });

  const front = inTurn(
    logger,
    accessLog({ logger, metrics }),
    (_request, response, next) => {
      response.setHeader('x-content-type-options', 'nosniff');
      next();
    },
    // Operations need nothing of express, which would cost them as much as the rest (decision 11).
    (request, response, next) => {
      const there = hosted();
      if (there === undefined) next();
      else there.operations(request, response, next);
    },
    app,
  );

  const listener = createListener({
    name: `${service.name}-server`,
    app: front,
    host: options.host,
    port: options.port,
  });
  return {
    name: listener.name,
    get port() {
      return listener.port;
    },
    async start() {
      await listener.start();
      listening = true;
      logger.info({ host: options.host, port: listener.port }, 'listening');
    },
    async stop() {
      listening = false;
      await listener.stop();
    },
  };
}
