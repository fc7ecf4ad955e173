import type { Exchange } from '../route.js';

function refuse(): never {
  throw new Error('This call has no HTTP exchange: only handlers of the gateway are given one');
}

/** What a service's handler gets in place of an exchange, whichever transport called it: using it is a mistake that shows at once. */
export const noExchange: Exchange = {
  get headers() {
    return refuse();
  },
  get rawBody() {
    return refuse();
  },
  get remoteAddress() {
    return refuse();
  },
  status: refuse,
  setHeader: refuse,
  appendHeader: refuse,
};
