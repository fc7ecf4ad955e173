import { fields } from '@latchkey/contracts';
import { Problem } from '@latchkey/kit';
import express, { type RequestHandler, type Response, type Router } from 'express';
import type { Session } from './objects.js';
import { type Payment, paySession } from './pay-session.js';
import { closedPage, paymentPage } from './payment-page.js';
import { stylesheet } from './stylesheet.js';
import { seconds, type World } from './world.js';

const payments: readonly string[] = ['pay', 'pay-later', 'decline'] satisfies Payment[];

/** The payment page for people. */
export function pageRouter(world: World): Router {
  const router = express.Router();
  const { store } = world;
  const isOpen = (session: Session | undefined): session is Session =>
    session?.status === 'open' && session.expires_at > seconds(world);

  function show(response: Response, base: string, session: Session | undefined, fault?: string): void {
    secure(response, session);
    response
      .status(isOpen(session) ? (fault === undefined ? 200 : 400) : session === undefined ? 404 : 410)
      .type('html');
    if (!isOpen(session)) return void response.send(closedPage(base, session));
    const items = store.get('sessionNote', session.id)?.items ?? [];
    const customer = session.customer === null ? undefined : store.get('customer', session.customer);
    response.send(
      paymentPage({ session, items, base, ...(customer && { customer }), ...(fault !== undefined && { fault }) }),
    );
  }

  router.get('/style.css', (_request, response) => {
    response.type('css').set('X-Content-Type-Options', 'nosniff').send(stylesheet);
  });
  router.get('/pay/:id', (request, response) =>
    show(response, request.baseUrl, store.get('session', request.params.id)),
  );
  router.post('/pay/:id', sameSite, express.urlencoded({ extended: false, limit: '8kb' }), (request, response) => {
    const session = store.get('session', String(request.params.id));
    const { action, email } = (request.body ?? {}) as Record<string, unknown>;
    if (!isOpen(session)) return show(response, request.baseUrl, session);
    if (action === 'cancel') return response.redirect(303, session.cancel_url ?? session.success_url);
    const buyer = fields.email.safeParse(email);
    if (!buyer.success) return show(response, request.baseUrl, session, 'Please give an email address.');
    if (!payments.includes(String(action)))
      return show(response, request.baseUrl, session, 'Please choose one of the buttons.');
    paySession(world, session.id, action as Payment, { email: buyer.data });
    response.redirect(303, session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id));
  });
  return router;
}

/** Strict, and yet the form may end where the shop wants the buyer back: browsers hold redirects of a form to `form-action` too. */
function secure(response: Response, session: Session | undefined): void {
  const back = [session?.success_url, session?.cancel_url].filter(
    (url) => typeof url === 'string' && URL.canParse(url),
  );
  const origins = [...new Set(back.map((url) => new URL(url as string).origin))];
  response.set({
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${origins.join(' ')}`,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
}

/** No other site may press the buttons. */
const sameSite: RequestHandler = (request, _response, next) => {
  const site = request.get('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') next();
  else next(new Problem('cross-site-request'));
};
