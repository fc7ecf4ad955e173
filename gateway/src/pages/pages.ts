import { traceOf } from '@latchkey/kit';
import type { RequestHandler } from 'express';
import { prefersHtml } from '../http/prefers-html.js';
import { brandStyle } from './brand-style.js';
import { fillDocument, type PageConfig } from './document.js';
import { type Content, compressed, sendContent } from './encoded-content.js';
import { pageAt, pagePaths } from './page-paths.js';
import { readWebBuild } from './web-build.js';

/** Nothing inline, nothing from elsewhere but a logo that is configured, in no frame; a form that its script does not take over goes nowhere. */
function policy(brandLogo: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src data:${brandLogo === undefined ? '' : ` ${new URL(brandLogo).origin}`}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The pages that a person sees: one document for all of them, shown when `Accept` prefers `text/html`; else the path is the API's. A GET of a mailed link shows a page and changes
 * nothing; only its button spends a token. `no-referrer` and `no-store` come with them (S57, S31).
 */
export function pages(config: PageConfig): RequestHandler {
  const { document, assets } = readWebBuild(brandStyle(config.brandColor));
  const titles = [...new Set(Object.values(pagePaths))];
  const documents = new Map<string, Content>(
    titles.map((title) => [title, compressed('html', fillDocument(document, title, config))]),
  );
  const contentSecurityPolicy = policy(config.brandLogo);

  return (request, response, next) => {
    const { path, method, headers } = request;
    if (method !== 'GET' && method !== 'HEAD') return next();
    const asset = assets.get(path);
    if (asset !== undefined) {
      traceOf(request).pattern = '/assets/:file';
      response.set('cache-control', 'public, max-age=31536000, immutable');
      return sendContent(request, response, asset);
    }
    const page = pageAt(path);
    if (page === undefined && path !== '/') return next();
    response.vary('Accept');
    if (!prefersHtml(headers.accept)) return next();
    traceOf(request).pattern = page?.pattern ?? '/';
    response.set('cache-control', 'no-store');
    if (page === undefined) return response.redirect('/login');
    response.set('content-security-policy', contentSecurityPolicy);
    sendContent(request, response, documents.get(page.title) as Content);
  };
}
