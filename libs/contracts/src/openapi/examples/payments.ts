import type { Checkout, WebhookEvent } from '../../payment.js';
import type * as payments from '../../public/payments.js';
import type { ExamplesOf } from '../operation-example.js';
import { requestId } from './values.js';

const checkout: Checkout = {
  id: '5d41402abc4b2a76b9719d911017c592',
  status: 'open',
  url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3',
  expires_at: '2027-01-16T08:00:00.000Z',
  mode: 'payment',
  price: 'price_1QfA2b3C4d5E6f7G',
  quantity: 1,
  currency: 'eur',
  amount: 4900,
  created_at: '2027-01-15T08:00:00.000Z',
  settled_at: null,
};

const event: WebhookEvent = {
  id: 'evt_1QfA2b3C4d5E6f7G',
  provider: 'stripe',
  type: 'checkout.session.completed',
  object_id: 'cs_test_a1b2c3',
  state: 'applied',
  source: 'webhook',
  attempts: 1,
  last_error: null,
  replays: 0,
  created_at: '2027-01-15T08:03:10.000Z',
  received_at: '2027-01-15T08:03:11.204Z',
  applied_at: '2027-01-15T08:03:11.350Z',
  request_id: requestId,
};

export const paymentExamples: ExamplesOf<typeof payments> = {
  listProducts: {
    answer: {
      products: [
        {
          id: 'prod_Team',
          name: 'Team',
          description: 'For up to ten people',
          images: [],
          prices: [
            {
              id: checkout.price,
              currency: 'eur',
              unit_amount: 4900,
              type: 'recurring',
              recurring: { interval: 'month', interval_count: 1 },
            },
          ],
        },
      ],
    },
  },
  startCheckout: { query: { price: checkout.price, quantity: '1' }, answer: { checkout } },
  showCheckout: {
    params: { id: checkout.id },
    answer: { checkout: { ...checkout, status: 'paid', url: null, settled_at: '2027-01-15T08:03:11.350Z' } },
  },
  receiveWebhook: { params: { provider: 'stripe' }, answer: { received: true } },
  listWebhookEvents: { query: { limit: '50' }, answer: { webhook_events: [event], next: null } },
  showWebhookEvent: { params: { id: event.id }, answer: { webhook_event: event } },
  replayWebhookEvent: { params: { id: event.id }, answer: { message: 'The event is on its way.' } },
};
