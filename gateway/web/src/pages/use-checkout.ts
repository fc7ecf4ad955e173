import { call } from '../api/call.js';
import { useAction } from '../api/use-action.js';

/** What a `Buy` links to: without this script, and in a new tab, the gateway itself sends the browser on to the payment page. */
export function checkoutAddress(price: string, quantity: number): string {
  return `/checkout?price=${encodeURIComponent(price)}&quantity=${quantity}`;
}

/** Starts a checkout and goes to the payment page. `onClick` takes plain clicks on a `checkoutAddress`, so that a refusal is shown on the page where it was clicked. */
export function useCheckout() {
  const action = useAction(async (price: string, quantity: number) => {
    const { checkout } = await call('startCheckout', { query: { price, quantity: String(quantity) } });
    location.assign(checkout.url ?? `/checkout/${checkout.id}`);
  });
  return {
    isBusy: action.isBusy,
    refusal: action.refusal,
    onClick: (price: string, quantity: number) => (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void action.run(price, quantity);
    },
  };
}
