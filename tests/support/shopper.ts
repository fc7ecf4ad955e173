import type { ApiClient } from './api-client.js';

/** What a person does on the simulator's payment page: fills in the email and presses one button. */
export async function pressOnPaymentPage(
  url: string,
  action: 'pay' | 'pay-later' | 'decline' | 'cancel',
  email: string,
) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action, email }),
    redirect: 'manual',
  });
  return { status: response.status, location: response.headers.get('location') };
}

/** A price of the simulator's shop. */
export async function priceOf(client: ApiClient, wanted: { type?: string; currency?: string } = {}): Promise<string> {
  const { body } = await client.get('/products');
  for (const product of body.products) {
    for (const price of product.prices) {
      if (price.type === (wanted.type ?? 'one_time') && price.currency === (wanted.currency ?? price.currency))
        return price.id;
    }
  }
  throw new Error(`No such price in ${JSON.stringify(body)}`);
}
