// Both flows of the contract that use the reset operation, as a person goes through them, and every end that a mailed link can have.
import { browserSession, logIn } from '../support/browser-session.js';
import { type ReceivedMail, resetLinkOf } from '../support/mailbox.js';

const clock = { offset: 0, now: () => Date.now() + clock.offset };
const session = browserSession({}, { clock });
const password = 'correct horse battery';
const newPassword = 'a fresh staple 42';

/** The address behind a link of a mail, as the person follows it. */
function addressIn(mail: ReceivedMail, page: string): string {
  const found = new RegExp(`https?://[^\\s"<>]+(/${page}\\?[^\\s"<>]+)`).exec(mail.text)?.[1];
  if (!found) throw new Error(`No link to ${page} in: ${mail.text}`);
  return found;
}

test('S57 forgot password: from the login page through the mail to the account, and the link is dead afterwards', async () => {
  const user = await session.system.givenUser({ password });
  const visitor = await session.open('/login');
  const { page } = visitor;
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await page.getByRole('status').getByText('***').waitFor();

  const link = addressIn(await session.system.mailbox.waitFor(user.email, /reset/i), 'change-password');
  await page.goto(`${session.system.publicUrl}${link}`);
  await page.getByLabel('New password').waitFor();
  // The secret has left the address bar; a reload still knows it.
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await page.getByLabel('New password').fill('password');
  await page.getByRole('button', { name: 'Set new password' }).click();
  expect(await page.getByRole('alert').textContent()).toMatch(/password/i);
  // A refused password spends nothing.
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('Your password has been updated').waitFor();
  expect(await page.evaluate<string>('JSON.stringify(history.state)')).not.toMatch(/token/);
  await page.getByRole('link', { name: 'Log in' }).click();
  await logIn(visitor, { email: user.email, password: newPassword });

  await page.goto(`${session.system.publicUrl}${link}`);
  await page.getByText('expired or already used').waitFor();
});

test('logged-in reset: the session goes on until the change', async () => {
  const user = await session.system.givenUser({ password });
  const { page } = await session.openLoggedIn('/account', user);
  await page.getByRole('link', { name: 'Have a reset link mailed' }).click();
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  const link = addressIn(await session.system.mailbox.waitFor(user.email, /reset/i), 'change-password');
  await page.goto(`${session.system.publicUrl}/account`);
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await page.goto(`${session.system.publicUrl}${link}`);
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('Your password has been updated').waitFor();
  await page.goto(`${session.system.publicUrl}/account`);
  await page.getByText('Please log in to go on.').waitFor();
});

test('an expired link says so and sends a new one from the same page', async () => {
  const user = await session.system.givenUser({ password });
  await session.system.client().post('/reset-password', { email: user.email });
  const old = await session.system.mailbox.waitFor(user.email, /reset/i);
  clock.offset += 3_600_000;
  const { page } = await session.open(addressIn(old, 'change-password'));
  await page.getByText('expired or already used').waitFor();
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await page.getByRole('status').getByText('***').waitFor();
  const fresh = await session.system.mailbox.waitFor(user.email, /reset/i, 2);
  expect(resetLinkOf(fresh).reset_token).not.toBe(resetLinkOf(old).reset_token);
});

test('a mangled link and none at all offer a new one too', async () => {
  for (const path of [
    '/change-password',
    '/change-password?reset_token=xyz&user_id=1',
    '/change-password?reset_token=ab&user_id=0',
  ]) {
    const { page } = await session.open(path);
    await page.getByText('expired or already used').waitFor();
    expect(await page.getByRole('button', { name: 'Send reset link' }).count()).toBe(1);
  }
});

test('"This was not me" takes one more click, and gives the password back', async () => {
  const user = await session.system.givenUser({ password });
  await session.system.client().post('/reset-password', { email: user.email });
  const link = addressIn(await session.system.mailbox.waitFor(user.email, /reset/i), 'not-me');
  const { page } = await session.open(link);
  await page.getByRole('button', { name: 'This was not me' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  const given = { email: user.email, password };
  expect((await session.system.client().post('/login', given)).status).toBe(401);
  await page.getByRole('button', { name: 'This was not me' }).click();
  await page.getByRole('link', { name: 'Log in' }).waitFor();
  expect((await session.system.client().post('/login', given)).status).toBe(200);
  await page.goto(`${session.system.publicUrl}${link}`);
  await page.getByRole('button', { name: 'This was not me' }).click();
  await page.getByText('expired or already used').waitFor();
});
