import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Component } from '../service.js';
import { answerBrokenRequest } from './broken-request.js';
import { refuseExpectation, refuseMalformed } from './refuse-malformed.js';

export interface ListenerOptions {
  readonly name: string;
  readonly app: RequestListener;
  readonly host: string;
  /** 0: any free one; `port` of the listener tells which. */
  readonly port: number;
  /** Seconds that requests under way may take once it stops, default 7; then their connections are cut. */
  readonly stopLimit?: number;
  /** Connections at once, default 2048; further ones are dropped (F34). */
  readonly maxConnections?: number;
  /** Milliseconds that a request may take to arrive; by default its headers 10 s and all of it 30 s, looked at every 2 s (S71). */
  readonly arrival?: { readonly headersTimeout: number; readonly requestTimeout: number; readonly checkEvery: number };
}

export interface Listener extends Component {
  /** The actual one after `start`. */
  readonly port: number;
}

const usualArrival = { headersTimeout: 10_000, requestTimeout: 30_000, checkEvery: 2000 };
/** Longer than a client or load balancer in front keeps an idle connection, so that they are the ones to close it. */
const KEEP_ALIVE_TIMEOUT = 65_000;
const IDLE_SOCKET_TIMEOUT = 60_000;
const MAX_HEADER_BYTES = 32 * 1024;

/** An HTTP server with the time and size limits of S71 and F34, and a graceful stop: refuse, finish, close (F6). */
export function createListener(options: ListenerOptions): Listener {
  const underWay = new Set<ServerResponse>();
  let stopping = false;

  const { headersTimeout, requestTimeout, checkEvery } = options.arrival ?? usualArrival;
  const limits = {
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: checkEvery,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    maxHeaderSize: MAX_HEADER_BYTES,
    // A missing Host is refused below, with a body that says so.
    requireHostHeader: false,
  };
  const server = createServer(limits, (request, response) => {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      // The connection counts as idle only after this event.
      if (stopping) setImmediate(() => server.closeIdleConnections());
    });
    if (stopping) response.setHeader('connection', 'close');
    if (!refuseMalformed(request, response)) options.app(request, response);
  });
  server.timeout = IDLE_SOCKET_TIMEOUT;
  server.maxConnections = options.maxConnections ?? 2048;
  server.on('checkExpectation', refuseExpectation);
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket as Socket));

  return {
    name: options.name,
    get port() {
      return (server.address() as AddressInfo | null)?.port ?? options.port;
    },
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(options.port, options.host, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    async stop() {
      if (!server.listening) return;
      stopping = true;
      // Idle connections are closed by this as well.
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close');
      const limit = setTimeout(() => server.closeAllConnections(), (options.stopLimit ?? 7) * 1000);
      await closed;
      clearTimeout(limit);
    },
  };
}
