import type { Price, Product } from '@latchkey/contracts';
import { call } from '../api/call.js';
import { useResource } from '../api/use-resource.js';
import { ButtonLink } from '../components/button.js';
import { Loading } from '../components/loading.js';
import { Page } from '../components/page.js';
import { RefusalAlert } from '../components/refusal-alert.js';
import { priceInWords } from './price-in-words.js';
import { checkoutAddress, useCheckout } from './use-checkout.js';

export function PricingPage() {
  const products = useResource(() => call('listProducts', {}));
  return (
    <Page title="Pricing" lead="Choose what you need. You pay on the payment provider’s page." width="broad">
      <RefusalAlert refusal={products.refusal} onRetry={products.reload} />
      {products.isLoading && !products.value && <Loading />}
      {products.value && <Offers products={products.value.products} />}
    </Page>
  );
}

function Offers({ products }: { products: readonly Product[] }) {
  const buyable = products.filter(({ prices }) => prices.length > 0);
  const checkout = useCheckout();
  if (buyable.length === 0) return <p class="empty">There is nothing for sale at the moment.</p>;
  return (
    <>
      <RefusalAlert refusal={checkout.refusal} />
      <ul class="offers">
        {buyable.map((product) => (
          <li key={product.id} class="card offer">
            <div class="card-heading">
              <h2>{product.name}</h2>
              {product.description !== null && <p>{product.description}</p>}
            </div>
            <ul class="prices">
              {product.prices.map((price) => (
                <Offer key={price.id} product={product} price={price} onBuy={checkout.onClick(price.id, 1)} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p class="visually-hidden" role="status">
        {checkout.isBusy ? 'Opening the payment page …' : ''}
      </p>
    </>
  );
}

function Offer(props: { product: Product; price: Price; onBuy(event: MouseEvent): void }) {
  const { amount, rhythm } = priceInWords(props.price);
  return (
    <li class="price">
      <p>
        <span class="price-amount">{amount}</span> <span class="price-rhythm">{rhythm}</span>
      </p>
      <ButtonLink href={checkoutAddress(props.price.id, 1)} onClick={props.onBuy}>
        Buy
        <span class="visually-hidden">
          {' '}
          {props.product.name}, {amount} {rhythm}
        </span>
      </ButtonLink>
    </li>
  );
}
