// From the price list over the simulator's payment page to the receipt, and the other ends that a payment can have.
import type { Page } from 'playwright-core';
import { browserSession } from '../support/browser-session.js';

const session = browserSession();

async function goToPaymentPage(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Buy Starter kit' }).click();
  await page.getByRole('button', { name: 'Decline' }).waitFor();
}

test('buy, pay, receipt', async () => {
  const { page } = await session.open('/pricing');
  await page.getByRole('heading', { name: 'Tokyo workshop' }).waitFor();
  await goToPaymentPage(page);
  await page.getByLabel('Email').fill('buyer@example.net');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  const id = new URL(page.url()).pathname.replace('/checkout/', '');
  expect(await page.locator('main').innerText()).toMatch(new RegExp(`Starter kit[\\s\\S]*19[\\s\\S]*${id}`));
  const receipt = await session.system.mailbox.waitFor('buyer@example.net', /receipt/i);
  expect(receipt.text).toContain(id);
  // A reload is a page as well, not the API's answer.
  await page.reload();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
});

test('a payment that is refused says so and offers another try', async () => {
  const { page } = await session.open('/pricing');
  await goToPaymentPage(page);
  await page.getByLabel('Email').fill('poor@example.net');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'Failed' }).waitFor();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Decline' }).waitFor();
});

test('whoever cancels is back at the prices', async () => {
  const { page } = await session.open('/pricing');
  await goToPaymentPage(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Pricing' }).waitFor();
});

test('an order that is open leads to the payment page and goes on by itself', async () => {
  const client = session.system.client();
  const { body } = await client.get('/products');
  const started = await client.get(`/checkout?price=${body.products[0].prices[0].id}`);
  const { page } = await session.open(`/checkout/${started.body.checkout.id}`);
  await page.getByRole('heading', { name: 'Waiting for your payment' }).waitFor();
  const payment = await page.context().newPage();
  await payment.goto(started.body.checkout.url);
  await payment.getByLabel('Email').fill('elsewhere@example.net');
  await payment.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
});

test('an order that nobody made, and a provider that is away', async () => {
  const { page } = await session.open('/checkout/00000000000000000000000000000000');
  await page.getByRole('heading', { name: 'There is no such order' }).waitFor();
  const problem = { type: 'x', title: 'x', status: 503, detail: 'x', code: 'provider-unavailable', request_id: 'x' };
  await page.route('**/products', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
  await page.getByRole('link', { name: 'See what is for sale' }).click();
  await page.getByRole('alert').getByText('The payment provider cannot be reached').waitFor();
  await page.unroute('**/products');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Starter kit' }).waitFor();
});
