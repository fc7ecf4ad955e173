import type { Checkout, CheckoutStatus } from '@latchkey/contracts';
import { checkoutAddress } from './use-checkout.js';

export interface CheckoutWords {
  readonly title: string;
  readonly tone: 'waiting' | 'success' | 'danger' | 'neutral';
  readonly text: string;
  /** What to do next; the first is the likeliest. */
  readonly ways: readonly { readonly href: string; readonly label: string }[];
}

const account = { href: '/account', label: 'Go to your account' };
const pricing = { href: '/pricing', label: 'See what is for sale' };

type Words = Omit<CheckoutWords, 'ways'>;
const words: Record<CheckoutStatus, Words> = {
  open: {
    title: 'Waiting for your payment',
    tone: 'waiting',
    text: 'This page goes on by itself as soon as the payment has arrived.',
  },
  processing: {
    title: 'Your payment is on its way',
    tone: 'waiting',
    text: 'Your bank may take a while, with some ways of paying some days. You can close this page: the receipt comes by mail.',
  },
  paid: { title: 'Paid', tone: 'success', text: 'Thank you. Your receipt is on its way to you by mail.' },
  failed: {
    title: 'Failed',
    tone: 'danger',
    text: 'Your bank or the payment provider refused the payment. Nothing was charged. You can try again, with another means of payment if you like.',
  },
  expired: {
    title: 'Expired',
    tone: 'neutral',
    text: 'This order was not completed in time. Nothing was charged.',
  },
  refunded: { title: 'Refunded', tone: 'neutral', text: 'The amount goes back to the means of payment you used.' },
};

export function checkoutInWords({
  status,
  url,
  price,
  quantity,
}: Pick<Checkout, 'status' | 'url' | 'price' | 'quantity'>): CheckoutWords {
  const again = { href: checkoutAddress(price, quantity), label: 'Try again' };
  const onwards: Record<CheckoutStatus, CheckoutWords['ways']> = {
    open: url === null ? [pricing] : [{ href: url, label: 'Go to the payment page' }, pricing],
    processing: [account],
    paid: [account, pricing],
    failed: [again, pricing],
    expired: [again, pricing],
    refunded: [account, pricing],
  };
  return { ...words[status], ways: onwards[status] };
}
