// Every page, light and dark, on a desktop and on a phone: axe finds nothing serious, nothing is cut off, and a screenshot is kept under .build/screenshots.
import { browserSession } from '../support/browser-session.js';
import { resetLinkOf } from '../support/mailbox.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';
import { adminCredentials } from '../support/system.js';
import type { Look, Visitor } from '../support/visitor.js';

const session = browserSession();
const password = 'correct horse battery';
const token = 'ab'.repeat(32);
const looks: Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['desktop', 'phone'] as const).map((device) => ({ colorScheme, device })),
);

/** How to come to each page, and what is on it when it is ready. */
const pages: Record<string, (look: Look) => Promise<Visitor>> = {
  login: (look) => ready('/login', 'Log in', look),
  'login-refused': async (look) => {
    const visitor = await ready('/login', 'Log in', look);
    await visitor.page.getByLabel('Email').fill('nobody@example.net');
    await visitor.page.getByLabel('Password').fill('not the one');
    await visitor.page.getByRole('button', { name: 'Log in' }).click();
    await visitor.page.getByRole('alert').waitFor();
    return visitor;
  },
  'forgot-password': (look) => ready('/forgot-password', 'Forgot your password?', look),
  'change-password': async (look) => {
    const { email } = await session.system.givenUser({ password });
    await session.system.client().post('/reset-password', { email });
    const link = resetLinkOf(await session.system.mailbox.waitFor(email, /reset/i));
    const visitor = await session.open(
      `/change-password?reset_token=${link.reset_token}&user_id=${link.user_id}`,
      look,
    );
    await visitor.page.getByLabel('New password').waitFor();
    return visitor;
  },
  'change-password-dead': (look) =>
    ready(`/change-password?reset_token=${token}&user_id=1`, 'Ask for a new link', look),
  'not-me': (look) => ready(`/not-me?disown_token=${token}&user_id=1`, 'This was not me', look),
  'confirm-email': (look) => ready(`/confirm-email?confirm_token=${token}&user_id=1`, 'Confirm your email', look),
  account: async (look) => {
    const user = await session.system.givenUser({ password });
    await session.system.loggedIn(user);
    await session.system.loggedIn(user);
    const visitor = await session.openLoggedIn('/account', user, look);
    await visitor.page.getByRole('button', { name: 'End all others' }).waitFor();
    return visitor;
  },
  'account-delete': async (look) => {
    const visitor = await session.openLoggedIn('/account', await session.system.givenUser({ password }), look);
    await visitor.page.getByRole('button', { name: 'Delete account' }).click();
    await visitor.page.getByRole('dialog').waitFor();
    return visitor;
  },
  pricing: async (look) => {
    const visitor = await ready('/pricing', 'Pricing', look);
    await visitor.page.getByRole('heading', { name: 'Tokyo workshop' }).waitFor();
    return visitor;
  },
  'checkout-open': async (look) => ready(`/checkout/${(await startedCheckout()).id}`, 'Waiting for your payment', look),
  'checkout-paid': async (look) => ready(`/checkout/${await settledCheckout('pay')}`, 'Paid', look),
  'checkout-failed': async (look) => ready(`/checkout/${await settledCheckout('decline')}`, 'Failed', look),
  'checkout-unknown': (look) => ready(`/checkout/${'0'.repeat(32)}`, 'There is no such order', look),
  admin: async (look) => {
    const visitor = await session.openLoggedIn('/admin', adminCredentials, look);
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
    return visitor;
  },
};

async function ready(path: string, heading: string, look: Look): Promise<Visitor> {
  const visitor = await session.open(path, look);
  await visitor.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await visitor.page.waitForLoadState('networkidle');
  return visitor;
}

async function startedCheckout(): Promise<{ id: string; url: string }> {
  const client = session.system.client();
  return (await client.get(`/checkout?price=${await priceOf(client)}`)).body.checkout;
}

async function settledCheckout(action: 'pay' | 'decline'): Promise<string> {
  const { id, url } = await startedCheckout();
  await pressOnPaymentPage(url, action, 'buyer@example.net');
  return id;
}

describe.each(Object.entries(pages))('%s', (name, open) => {
  test.each(looks)('$colorScheme, $device', async (look) => {
    const visitor = await open(look);
    await visitor.screenshot(`${name}-${look.colorScheme}-${look.device}`);
    expect(await visitor.seriousFaults()).toEqual([]);
    const overflow = await visitor.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await visitor.page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });
});
