import type { Checkout } from '@latchkey/contracts';
import { call } from '../api/call.js';
import { useResource } from '../api/use-resource.js';
import { Time } from '../components/time.js';
import { money } from './money.js';

/** What was ordered. The product's name comes from the list of what is for sale; without it the rest is shown all the same. */
export function Receipt({ checkout }: { checkout: Checkout }) {
  const products = useResource(() => call('listProducts', {}));
  const product = products.value?.products.find(({ prices }) => prices.some(({ id }) => id === checkout.price));
  return (
    <dl class="facts">
      {product && (
        <div>
          <dt>Item</dt>
          <dd>{checkout.quantity === 1 ? product.name : `${checkout.quantity} × ${product.name}`}</dd>
        </div>
      )}
      {checkout.amount !== null && (
        <div>
          <dt>Total</dt>
          <dd class="facts-strong">{money(checkout.amount, checkout.currency)}</dd>
        </div>
      )}
      <div>
        <dt>Date</dt>
        <dd>
          <Time value={checkout.settled_at ?? checkout.created_at} />
        </dd>
      </div>
      <div>
        <dt>Order number</dt>
        <dd>
          <code>{checkout.id}</code>
        </dd>
      </div>
    </dl>
  );
}
