import { Problem } from '@latchkey/kit';
import type { RequestHandler } from 'express';

const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Refuses a request that was made to another host name: a web site whose name was rebound to loopback could read the mails otherwise. */
export const loopbackOnly: RequestHandler = (request, _response, next) => {
  const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  if (ownNames.has(name)) next();
  else next(new Problem('forbidden', { detail: 'The mailbox answers only to localhost' }));
};
