import { browserSession } from '../support/browser-session.js';

const session = browserSession({ RATE_LIMIT_SCALE: '1' });

test('S19 a throttled login names the wait', async () => {
  const user = await session.system.givenUser({ password: 'correct horse battery' });
  const { page } = await session.open('/login');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill('not the one');
  const button = page.getByRole('button', { name: 'Log in' });
  const alert = page.getByRole('alert');
  // Five failures are free; whoever goes on at once is told to wait.
  for (let attempts = 0; attempts < 8; attempts += 1) {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await button.click();
    if ((await answered).status() === 429) break;
  }
  await alert.getByText(/Too many attempts\. Please try again in \d+ seconds?\./).waitFor();
});
