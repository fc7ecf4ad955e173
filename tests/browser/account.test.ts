import { browserSession, logIn } from '../support/browser-session.js';

const session = browserSession();
const password = 'correct horse battery';

test('name, and what is wrong with one', async () => {
  const user = await session.system.givenUser({ password });
  const { page } = await session.openLoggedIn('/account', user);
  await page.getByLabel('First name').fill('Ada');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Your name is saved.').waitFor();
  await page.getByText('You are logged in as Ada Hopper').waitFor();
  await page.getByLabel('First name').fill('x'.repeat(101));
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('First name').getAttribute('aria-invalid')).toBe('true');
});

test('S70 a new email is used once it is confirmed', async () => {
  const user = await session.system.givenUser({ password });
  const visitor = await session.openLoggedIn('/account', user);
  const { page } = visitor;
  const form = page.getByRole('form', { name: 'Email' });
  await form.getByLabel('New email').fill('moved.in.browser@example.net');
  await form.getByLabel('Current password').fill('not the one');
  await form.getByRole('button', { name: 'Change email' }).click();
  await form.getByRole('alert').waitFor();
  await form.getByLabel('Current password').fill(password);
  await form.getByRole('button', { name: 'Change email' }).click();
  await page.getByText('We mailed a link to moved.in.browser@example.net').waitFor();

  const mail = await session.system.mailbox.waitFor('moved.in.browser@example.net', /confirm/i);
  const link = /https?:\/\/\S+(\/confirm-email\?\S+)/.exec(mail.text)?.[1];
  await page.goto(`${session.system.publicUrl}${link}`);
  await page.getByRole('button', { name: 'Confirm email' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await page.getByRole('heading', { name: /Your account|Log in/ }).waitFor();
  const moved = await session.open('/login');
  await logIn(moved, { email: 'moved.in.browser@example.net', password });
});

test('S45 sessions: end one, end all others; a new password ends them too', async () => {
  const user = await session.system.givenUser({ password });
  const others = [];
  for (let number = 0; number < 3; number += 1) others.push(await session.system.loggedIn(user));
  const { page } = await session.openLoggedIn('/account', user);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('This one').waitFor();
  expect(await sessions.getByRole('listitem').count()).toBe(4);
  await sessions
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click();
  await sessions.getByText('The session has ended.').waitFor();
  await sessions.getByRole('button', { name: 'End all others' }).click();
  await sessions.getByText('2 sessions have ended.').waitFor();
  expect(await sessions.getByRole('listitem').count()).toBe(1);
  for (const other of others) expect((await other.get('/session')).status).toBe(401);

  const another = await session.system.loggedIn(user);
  const form = page.getByRole('form', { name: 'Password' });
  await form.getByLabel('Current password').fill(password);
  await form.getByLabel('New password').fill('a fresh staple 42');
  await form.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed').waitFor();
  expect((await another.get('/session')).status).toBe(401);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.goto(`${session.system.publicUrl}/account`);
  await page.getByText('Please log in to go on.').waitFor();
});

test('an account is deleted after a question, and nobody logs in with it again', async () => {
  const user = await session.system.givenUser({ password });
  const { page } = await session.openLoggedIn('/account', user);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog', { name: 'Delete this account?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
  expect((await session.system.client().post('/login', { email: user.email, password })).status).toBe(401);
});
