import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RequestHandler } from 'express';
import { prefersHtml } from '../http/prefers-html.js';

/** Beside `src` and `dist` alike. */
const folder = resolve(__dirname, '../../pages');

const titles: Record<string, string> = {
  login: 'Log in',
  'forgot-password': 'Forgot your password?',
  'change-password': 'Set a new password',
  'not-me': 'This was not me',
  'confirm-email': 'Confirm your email',
};

/** Nothing inline, nothing from elsewhere, in no frame; a form that its script does not take over goes nowhere. */
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
 * The pages that mailed links lead to, and log in: shown when `Accept` prefers `text/html`, else the path is the API's. A GET of a link shows a page and changes nothing;
 * only its button spends a token. `no-referrer` and `no-store` come with them (S57, S31).
 */
export function pages(brand: { brandName: string; brandColor: string }): RequestHandler {
  const html = new Map(Object.entries(titles).map(([name, title]) => [`/${name}`, page(name, title, brand.brandName)]));
  const assets = new Map([
    [
      '/assets/pages.css',
      { type: 'text/css', text: read('pages.css').replace(/--brand: [^;]+/, `--brand: ${brand.brandColor}`) },
    ],
    ['/assets/pages.js', { type: 'text/javascript', text: read('pages.js') }],
  ]);

  return (request, response, next) => {
    const { path, method, headers } = request;
    if (method !== 'GET' && method !== 'HEAD') return next();
    const asset = assets.get(path);
    if (asset !== undefined) {
      response.set('cache-control', 'public, max-age=300').type(asset.type).send(asset.text);
      return;
    }
    const text = html.get(path);
    if (text === undefined && path !== '/') return next();
    response.vary('Accept');
    if (!prefersHtml(headers.accept)) return next();
    response.set('cache-control', 'no-store');
    if (text === undefined) return response.redirect('/login');
    response.set('content-security-policy', policy).type('html').send(text);
  };
}

function page(name: string, title: string, brandName: string): string {
  const values: Record<string, string> = {
    title: escapeHtml(title),
    brand: escapeHtml(brandName),
    main: read(`${name}.html`),
  };
  return read('layout.html').replace(/\{\{(\w+)\}\}/g, (_match, key: string) => values[key] ?? '');
}

function read(file: string): string {
  return readFileSync(resolve(folder, file), 'utf8');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
