import type { paymentApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import { prefersHtml } from '../http/prefers-html.js';

/** A browser that follows a link is sent on to the provider's page; everybody else gets the checkout. `Accept` alone decides. */
export function startCheckout(deps: {
  payments: Pick<ClientOf<typeof paymentApi>, 'startCheckout'>;
}): Handler<typeof publicApi.startCheckout> {
  return async ({ query }, context, exchange) => {
    const { price, quantity } = query;
    const given = { quantity: String(quantity), ...(price !== undefined && { price }) };
    const answer = await deps.payments.startCheckout({ query: given }, context);
    if (answer.checkout.url !== null && prefersHtml(exchange.headers.accept)) {
      exchange.status(303);
      exchange.setHeader('Location', answer.checkout.url);
    }
    return answer;
  };
}
