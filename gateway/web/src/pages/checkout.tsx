import type { Checkout } from '@latchkey/contracts';
import { useEffect } from 'preact/hooks';
import { call } from '../api/call.js';
import { useResource } from '../api/use-resource.js';
import type { PageProps } from '../app.js';
import { ButtonLink } from '../components/button.js';
import { Card } from '../components/card.js';
import { Loading } from '../components/loading.js';
import { Page } from '../components/page.js';
import { RefusalAlert } from '../components/refusal-alert.js';
import { checkoutInWords } from './checkout-in-words.js';
import { Receipt } from './receipt.js';
import { checkoutAddress, useCheckout } from './use-checkout.js';

/** Where the payment page leads back to: follows the checkout until it is settled. */
export function CheckoutPage({ params }: PageProps) {
  const { id = '' } = params;
  const { value, refusal, isLoading, reload } = useResource(() => call('showCheckout', { params: { id } }), [id]);
  const checkout = value?.checkout;
  const pause = checkout ? pauses[checkout.status] : undefined;

  useEffect(() => {
    if (pause === undefined || isLoading) return;
    const timer = setTimeout(() => void reload(), pause);
    return () => clearTimeout(timer);
  }, [pause, isLoading, reload]);

  if (refusal?.code === 'not-found') return <UnknownOrder />;
  if (!checkout)
    return (
      <Page title="Your order">
        <Card>
          {refusal ? <RefusalAlert refusal={refusal} onRetry={reload} /> : <Loading text="Looking up your order …" />}
        </Card>
      </Page>
    );
  return <Order checkout={checkout} />;
}

/** Milliseconds until it is asked again; settled ones are not. The gateway asks the provider at most once a second. */
const pauses: Partial<Record<Checkout['status'], number>> = { open: 1500, processing: 5000 };

function Order({ checkout }: { checkout: Checkout }) {
  const words = checkoutInWords(checkout);
  const another = useCheckout();
  const again = checkoutAddress(checkout.price, checkout.quantity);
  return (
    <Page title={words.title}>
      <Card>
        <div class={`outcome outcome-${words.tone}`} role="status">
          <span class="outcome-mark" aria-hidden="true" />
          <p>{words.text}</p>
        </div>
        <Receipt checkout={checkout} />
        <RefusalAlert refusal={another.refusal} />
        <div class="stack">
          {words.ways.map(({ href, label }, index) => (
            <ButtonLink
              key={href}
              href={href}
              size="wide"
              variant={index === 0 ? 'primary' : 'secondary'}
              {...(href === again && { onClick: another.onClick(checkout.price, checkout.quantity) })}
            >
              {label}
            </ButtonLink>
          ))}
        </div>
      </Card>
    </Page>
  );
}

function UnknownOrder() {
  return (
    <Page title="There is no such order">
      <Card>
        <p>The address may be mistyped. If you have paid, your receipt is on its way to you by mail.</p>
        <ButtonLink href="/pricing" size="wide">
          See what is for sale
        </ButtonLink>
      </Card>
    </Page>
  );
}
