import type { IncomingMessage } from 'node:http';
import { type Endpoint, publicApi } from '@latchkey/contracts';
import { type CallContext, type Clock, Problem, requestIdOf } from '@latchkey/kit';
import { isCrossSiteSubresource, isCrossSiteWrite, type SitePolicy } from './http/cross-site.js';
import type { AddressOf } from './http/request-address.js';
import type { Sessions } from './sessions/sessions.js';
import type { Standing } from './sessions/standing.js';

/** GETs that change something, as the contract has them (S66). */
const changingReads = new Set<Endpoint>([publicApi.logOut, publicApi.startCheckout]);
/** They need nobody's session: health must not wait for auth, a login begins anew, a logout reads its cookie itself. */
const anonymous = new Set<Endpoint>([
  publicApi.showHealth,
  publicApi.showKeys,
  publicApi.showOpenApi,
  publicApi.logIn,
  publicApi.logOut,
  publicApi.receiveWebhook,
]);

/** How long a service may take, ms. Where a password is hashed the request may queue; a checkout waits for the provider, at most 15 s in all. */
const usualPatience = 5_000;
const patience = new Map<Endpoint, number>([
  [publicApi.logIn, 12_000],
  [publicApi.changePassword, 12_000],
  [publicApi.createUser, 12_000],
  [publicApi.updateUser, 12_000],
  [publicApi.startCheckout, 14_000],
]);

export type Authorize = (request: IncomingMessage, endpoint: Endpoint) => CallContext | Promise<CallContext>;

/**
 * Who asks, from where, and may they: cross-site (403), then session (401), then rights (403). Rights within an operation are its service's matter.
 * A route that is open to all gets the principal of a valid cookie, and none when the cookie is bad or auth is away: it never fails because of one.
 */
export function createAuthorize(deps: {
  sessions: Sessions;
  addressOf: AddressOf;
  sites: SitePolicy;
  clock: Clock;
}): Authorize {
  return (request, endpoint) => {
    const { headers } = request;
    if (isCrossSite(request, endpoint, deps.sites)) throw new Problem('cross-site-request');
    const context: CallContext = {
      requestId: requestIdOf(request),
      deadline: deps.clock.now() + (patience.get(endpoint) ?? usualPatience),
      principal: null,
      client: {
        address: deps.addressOf(request).address,
        userAgent: headers['user-agent'] ?? null,
        languages: headers['accept-language'] ?? null,
      },
    };
    if (anonymous.has(endpoint)) return context;
    const standing = deps.sessions.presented(headers.cookie, context);
    if (!(standing instanceof Promise)) return admit(context, endpoint, standing);
    return standing.then(
      (found) => admit(context, endpoint, found),
      (error) => {
        if (endpoint.access === 'public') return context;
        throw error;
      },
    );
  };
}

function isCrossSite({ headers }: IncomingMessage, endpoint: Endpoint, sites: SitePolicy): boolean {
  // A webhook comes from another site by nature, and no cookie counts there: its signature does.
  if (endpoint.rawBody) return false;
  if (endpoint.method !== 'GET') return isCrossSiteWrite(headers, sites);
  return changingReads.has(endpoint) && isCrossSiteSubresource(headers, sites);
}

function admit(context: CallContext, { access }: Endpoint, standing: Standing | null): CallContext {
  if (standing === null) {
    if (access === 'public') return context;
    throw new Problem('session-required');
  }
  if (access === 'admin' && standing.principal.role !== 'admin') throw new Problem('forbidden');
  return { ...context, principal: standing.principal };
}
