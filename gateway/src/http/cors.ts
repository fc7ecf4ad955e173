import type { Step } from '@latchkey/kit';
import { isAllowedOrigin, type SitePolicy } from './cross-site.js';

/**
 * Lets pages of ALLOWED_ORIGINS, and no others, read answers and send cookies (S67). A foreign origin gets no CORS header at all, never `*`. Every answer varies by what was looked at.
 */
export function crossOriginAccess(policy: SitePolicy): Step {
  return (request, response, next) => {
    response.setHeader('vary', 'Origin, Sec-Fetch-Site');
    const { origin } = request.headers;
    if (origin === undefined || !isAllowedOrigin(request.headers, policy)) return next();
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-credentials', 'true');
    response.setHeader('access-control-expose-headers', 'Location, Retry-After, X-Request-Id');
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE');
    response.setHeader('access-control-allow-headers', 'Content-Type');
    response.setHeader('access-control-max-age', '600');
    response.statusCode = 204;
    response.end();
  };
}
