import {
  accessLog,
  type Clock,
  type Component,
  createEndpointRouter,
  createListener,
  createOperationalRouter,
  inTurn,
  type Logger,
  type Metrics,
  type Route,
} from '@latchkey/kit';
import express from 'express';
import { createAuthorize } from './authorize.js';
import { type GatewayConfig, isSecureCookie } from './config.js';
import { docs } from './docs/docs.js';
import { crossOriginAccess } from './http/cors.js';
import type { SitePolicy } from './http/cross-site.js';
import { limitRequests } from './http/limit-requests.js';
import { createAddressOf } from './http/request-address.js';
import { securityHeaders } from './http/security-headers.js';
import { pageAt } from './pages/page-paths.js';
import { pages } from './pages/pages.js';
import { type RouteDeps, routes } from './routes.js';
import { createSessions } from './sessions/sessions.js';

export interface GatewayDeps extends Omit<RouteDeps, 'sessions' | 'config'> {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Measured into, never served here: the outside reaches this port. Whoever composes serves it elsewhere. */
  readonly metrics?: Metrics;
}

export interface Gateway extends Component {
  /** The actual port once started. */
  readonly port: number;
  /** Where it listens, as a URL. What links are built from is PUBLIC_URL instead. */
  address(): string;
}

/** The only process that the outside reaches. It alone knows cookies, and it owns no database. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { config, clock } = deps;
  const logger = deps.logger.child({ component: 'gateway' });
  const https = config.publicUrl.startsWith('https:');
  const sites: SitePolicy = {
    publicOrigin: new URL(config.publicUrl).origin,
    allowedOrigins: new Set(config.allowedOrigins),
  };
  const cookie = { name: config.cookieName, secure: isSecureCookie(config) };
  const sessions = createSessions({ auth: deps.auth, clock, logger, cookie });
  const addressOf = createAddressOf({ trustProxy: config.trustProxy, logger });
  let started = false;

  const operations = routes({ ...deps, sessions });
  const endpoints = {
    bodyLimit: config.bodyLimit,
    authorize: createAuthorize({ sessions, addressOf, sites, clock }),
    logger,
    clock,
  };

  const app = express().disable('x-powered-by').disable('etag');
  app.use(
    // Ready means that it takes requests: an outage of a service must not take every gateway out of rotation.
    createOperationalRouter({
      started: () => started,
      health: async () => ({ status: 'ok', checks: {} }),
      withHealth: false,
    }),
    docs({ brandName: config.brandName }),
    ...(config.pages ? [pages(config)] : []),
    createEndpointRouter({ ...endpoints, routes: operations }),
  );

  const front = inTurn(
    logger,
    accessLog({ logger, ...(deps.metrics && { metrics: deps.metrics }) }),
    securityHeaders({ https }),
    crossOriginAccess(sites),
    limitRequests({ addressOf, clock, scale: config.rateLimitScale }),
    // An operation whose path no page shares needs nothing of express, which would cost it as much as everything else here (decision 11).
    createEndpointRouter({ ...endpoints, routes: operations.filter(isNoPage), fallThrough: true }),
    app,
  );

  const listener = createListener({
    name: 'gateway',
    app: front,
    host: config.host,
    port: config.port,
  });
  return {
    name: 'gateway',
    get port() {
      return listener.port;
    },
    address: () => `http://${reachable(config.host)}:${listener.port}`,
    async start() {
      await sessions.start();
      await listener.start();
      started = true;
      logger.info({ host: config.host, port: listener.port, publicUrl: config.publicUrl }, 'listening');
    },
    async stop() {
      started = false;
      await listener.stop();
    },
  };
}

/** A page is only ever asked for by GET. */
function isNoPage({ endpoint }: Route): boolean {
  return endpoint.method !== 'GET' || pageAt(endpoint.path) === undefined;
}

/** A host that a client can call; listening on every address is none. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
