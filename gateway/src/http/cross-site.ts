import type { IncomingHttpHeaders } from 'node:http';

/** Origins that may write beside the page's own: PUBLIC_URL's and ALLOWED_ORIGINS, as `scheme://host[:port]`. */
export interface SitePolicy {
  readonly publicOrigin: string;
  readonly allowedOrigins: ReadonlySet<string>;
}

/**
 * Is this write made by a page of another site (S63, S64)? `Sec-Fetch-Site` decides, since scripts cannot set it; browsers without it are judged by `Origin`, then
 * `Referer`. A request with none of the three is no browser's and carries no one else's cookie.
 */
export function isCrossSiteWrite(headers: IncomingHttpHeaders, policy: SitePolicy): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none' && !isAllowedOrigin(headers, policy);
  if (headers.origin !== undefined) return !isTrusted(headers.origin, headers.host, policy);
  if (headers.referer !== undefined) return !isTrusted(originOf(headers.referer), headers.host, policy);
  return false;
}

/**
 * Does another site load this state-changing GET as an image, script, frame or fetch (S66)? A link that a person follows is a top-level navigation and passes.
 */
export function isCrossSiteSubresource(headers: IncomingHttpHeaders, policy: SitePolicy): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none' || isAllowedOrigin(headers, policy)) return false;
  const navigates = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !navigates || headers['sec-purpose'] !== undefined;
}

export function isAllowedOrigin(headers: IncomingHttpHeaders, policy: SitePolicy): boolean {
  return headers.origin !== undefined && policy.allowedOrigins.has(headers.origin);
}

function isTrusted(origin: string | undefined, host: string | undefined, policy: SitePolicy): boolean {
  if (origin === undefined) return false;
  return origin === policy.publicOrigin || policy.allowedOrigins.has(origin) || isOwnLoopback(origin, host);
}

/** Somebody who opens 127.0.0.1 where PUBLIC_URL says localhost. Only loopback names: any other Host header can be made to name us (DNS rebinding). */
function isOwnLoopback(origin: string, host: string | undefined): boolean {
  if (host === undefined || !/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host)) return false;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
