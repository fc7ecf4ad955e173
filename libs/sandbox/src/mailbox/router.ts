import { newRequestId, Problem } from '@latchkey/kit';
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { liveScript } from './live-script.js';
import { loopbackOnly } from './loopback-only.js';
import type { MailFiles } from './mail-files.js';
import { listPage, mailBody, mailPage, missingPage } from './pages.js';
import type { StoredMail } from './stored-mail.js';
import { stylesheet } from './stylesheet.js';

const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A mail's own html: inline styles and data images are all it may have, and no origin. Its links open in a new tab. */
const bodyPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

const secure: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': pagePolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  next();
};

/** The mailbox's page for people, and the same as JSON for tests and scripts. `files` is asked at each request. */
export function mailboxRouter(files: () => MailFiles | undefined): Router {
  const router = express.Router();

  function opened(): MailFiles {
    const found = files();
    if (!found) throw new Problem('service-unavailable', { detail: 'The mailbox has not been started' });
    return found;
  }

  async function find(id: unknown): Promise<StoredMail> {
    const mail = typeof id === 'string' ? await opened().read(id) : null;
    if (!mail) throw new Problem('not-found', { detail: 'There is no such mail' });
    return mail;
  }

  router.use(loopbackOnly, secure);
  router.get('/mailbox.css', (_request, response) => void response.type('css').send(stylesheet));
  router.get('/mailbox.js', (_request, response) => void response.type('js').send(liveScript));

  router.get('/api/mails', (request, response) => {
    const { to } = request.query;
    response.json({ mails: opened().list(typeof to === 'string' ? to : undefined) });
  });
  router.get(
    '/api/mails/:id',
    async (request, response) => void response.json({ mail: await find(request.params.id) }),
  );
  router.delete('/api/mails', async (_request, response) => {
    await opened().clear();
    response.json({ message: 'The mailbox is empty' });
  });

  router.get('/', (request, response) => void response.send(listPage(request.baseUrl, opened().list())));
  router.get('/:id', async (request, response) => {
    response.send(mailPage(request.baseUrl, await find(request.params.id)));
  });
  router.get('/:id/html', async (request, response) => {
    const mail = await find(request.params.id);
    response.set('Content-Security-Policy', bodyPolicy).send(mailBody(mail));
  });
  router.get('/:id/raw', async (request, response) => {
    await find(request.params.id);
    response.type('text/plain').send(await opened().readRaw(request.params.id));
  });
  router.use(() => {
    throw new Problem('not-found');
  });
  router.use(refuse);
  return router;
}

const refuse: ErrorRequestHandler = (error, request, response, next) => {
  if (!(error instanceof Problem)) return next(error);
  response.status(error.status);
  if (request.path.startsWith('/api/') || !request.accepts('html')) {
    response.type('application/problem+json').send(JSON.stringify(error.toDocument(newRequestId())));
  } else response.send(missingPage(request.baseUrl, error.message));
};
