import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type Stripe from 'stripe';
import { stripeSdk } from './stripe-sdk.js';

/** The version that our mapping was written against; an account's default version does not matter. */
const API_VERSION = '2026-10-28.endive';

/** What may be repeated is repeated once: the caller's own patience and the idempotency keys do the rest. */
const NETWORK_RETRIES = 1;

export interface StripeClient {
  readonly stripe: Stripe;
  close(): void;
}

/**
 * Stripe's SDK, pointed at `apiUrl` when given. Its own options know host, port and protocol only; a path (the simulator's `/simulator`, a proxy's) is put
 * before each request's by the HTTP client.
 */
export function createStripeClient(o: { secretKey: string; apiUrl?: string; timeoutMs: number }): StripeClient {
  const address = o.apiUrl === undefined ? undefined : new URL(o.apiUrl);
  const agent =
    address?.protocol === 'http:' ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true });
  const Sdk = stripeSdk();
  const stripe = new Sdk(o.secretKey, {
    apiVersion: API_VERSION,
    timeout: o.timeoutMs,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    appInfo: { name: 'Latchkey' },
    httpClient: withPath(Sdk.createNodeHttpClient(agent), address?.pathname ?? '/'),
    ...(address && {
      host: address.hostname,
      port: address.port || (address.protocol === 'http:' ? 80 : 443),
      protocol: address.protocol === 'http:' ? 'http' : 'https',
    }),
  });
  return { stripe, close: () => agent.destroy() };
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

function withPath(client: HttpClient, pathname: string): HttpClient {
  const prefix = pathname.replace(/\/+$/, '');
  if (prefix === '') return client;
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, ...rest) => makeRequest(host, port, prefix + path, ...rest);
  return client;
}
