import type { paymentApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';

/** The body goes on byte for byte: its signature is over exactly those bytes (S73, P18). No cookie counts here. */
export function receiveWebhook(deps: {
  payments: Pick<ClientOf<typeof paymentApi>, 'receiveWebhook'>;
}): Handler<typeof publicApi.receiveWebhook> {
  return ({ params }, context, exchange) => {
    const header = exchange.headers['stripe-signature'];
    const signature = typeof header === 'string' ? header.slice(0, 4_000) : null;
    const body = { payload_base64: exchange.rawBody.toString('base64'), signature };
    return deps.payments.receiveWebhook({ params, body }, context);
  };
}
