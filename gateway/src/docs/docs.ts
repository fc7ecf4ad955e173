import { dirname, resolve } from 'node:path';
import { traceOf } from '@latchkey/kit';
import type { RequestHandler } from 'express';
import { readAsset } from './asset.js';
import { errorPages } from './error-pages.js';
import { htmlDocument } from './html.js';

/** Beside `src` and `dist` alike. */
const own = (name: string) => resolve(__dirname, '../../docs', name);
const swagger = (name: string) => resolve(dirname(require.resolve('swagger-ui-dist/package.json')), name);

/** As strict as that of the pages: the package needs nothing inline, only its small icons as data. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * What a person reads about the interface: `/docs`, to read and try every operation of `/openapi.json`, and `/errors`, where the `type` of every problem points. They belong to
 * the API, so they stay when a team switches the pages off for a front end of its own. Everything is served from here.
 */
export function docs({ brandName }: { brandName: string }): RequestHandler {
  const styles = [readAsset(swagger('swagger-ui.css'), 'text/css'), readAsset(own('docs.css'), 'text/css')];
  const scripts = [
    readAsset(swagger('swagger-ui-bundle.js'), 'text/javascript'),
    readAsset(own('start.js'), 'text/javascript'),
  ];
  const errorStyle = readAsset(own('errors.css'), 'text/css');
  const assets = new Map([...styles, ...scripts, errorStyle].map((asset) => [asset.path, asset]));
  const documents = errorPages({ brandName, style: errorStyle.path }).set(
    '/docs',
    htmlDocument({
      title: 'API',
      brandName,
      styles: styles.map(({ path }) => path),
      scripts: scripts.map(({ path }) => path),
      body: '<main id="docs"></main>\n<noscript><p>This page needs JavaScript; <a href="/openapi.json">the document</a> does not.</p></noscript>',
    }),
  );

  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
    const asset = assets.get(path);
    const text = documents.get(path);
    if (asset === undefined && text === undefined) return next();
    // Few patterns, for the log and the metrics.
    traceOf(request).pattern = path.replace(/^\/errors\/.+/, '/errors/:code').replace(/\/assets\/.+/, '/assets/:file');
    if (asset !== undefined) return asset.send(request, response).catch(next);
    response.set({ 'content-security-policy': policy, 'cache-control': 'public, max-age=300' }).type('html').send(text);
  };
}
