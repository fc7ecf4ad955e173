// Logging in: by keyboard alone, refused, throttled, and without a connection; and how little the page asks for.
import { browserSession, logIn } from '../support/browser-session.js';

const session = browserSession();
const password = 'correct horse battery';

test('the first view of /login is one document, one script and one style', async () => {
  const { page } = await session.open('/forgot-password');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.clearBrowserCache');
  await page.goto(`${session.system.publicUrl}/login`, { waitUntil: 'networkidle' });
  await page.getByLabel('Email').waitFor();
  expect(
    asked
      .filter((line) => !line.includes('image/svg'))
      .map((line) => line.split(' ')[0])
      .sort(),
  ).toEqual(['document', 'script', 'stylesheet']);
});

test('by keyboard alone, with a password manager’s hints', async () => {
  const user = await session.system.givenUser({ password });
  const { page } = await session.open('/login');
  const email = page.getByLabel('Email');
  await email.waitFor();
  expect([await email.getAttribute('autocomplete'), await email.getAttribute('type')]).toEqual(['username', 'email']);
  expect(await page.getByLabel('Password').getAttribute('autocomplete')).toBe('current-password');
  const focused = () => page.evaluate<string>('document.activeElement.name ?? document.activeElement.textContent');
  for (let presses = 0; (await focused()) !== 'email'; presses += 1) {
    expect(presses).toBeLessThan(8);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type(user.email);
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('password');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: 'Your account' });
  await heading.waitFor();
  // A screen reader is told where it is now.
  expect(await page.locator('h1:focus').count()).toBe(1);
  expect(await page.title()).toBe('Your account · Latchkey');
});

test('what is missing and what is wrong is said in one alert, and the focus is where to mend it', async () => {
  const { page } = await session.open('/login');
  await page.getByRole('button', { name: 'Log in' }).click();
  expect(await page.getByRole('alert').textContent()).toMatch(/email.*password/i);
  expect(await page.locator('input[type=email]:focus').count()).toBe(1);
  await page.getByLabel('Email').fill('nobody@example.net');
  await page.getByLabel('Password').fill('not the one');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('The email or the password is wrong.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
});

test('without a connection, and while a part is away, it says so and keeps what was typed', async () => {
  const { page, context, complaints } = await session.open('/login');
  await page.getByLabel('Email').fill('ada@example.net');
  await page.getByLabel('Password').fill(password);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.net');
  await context.setOffline(false);
  const away = {
    type: '/errors/service-unavailable',
    title: 'x',
    status: 503,
    detail: 'x',
    code: 'service-unavailable',
    request_id: 'x',
  };
  await page.route('**/login', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(away) }),
  );
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('A part of the service is not available right now.').waitFor();
  await page.route('**/login', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('does not understand').waitFor();
  // The browser's own word for a connection that is not there, and for the proxy's page.
  const own = complaints.splice(0);
  expect(own.filter((text) => !/ERR_INTERNET_DISCONNECTED|status of 502/.test(text))).toEqual([]);
});

test('a page that needs a session leads to the login and back', async () => {
  const user = await session.system.givenUser({ password });
  const visitor = await session.open('/account');
  await visitor.page.getByText('Please log in to go on.').waitFor();
  await logIn(visitor, user);
  expect(new URL(visitor.page.url()).pathname).toBe('/account');
});

test('a login does not lead to other sites', async () => {
  const user = await session.system.givenUser({ password });
  for (const next of [
    'https://evil.test/account',
    '//evil.test/account',
    '/\\evil.test/account',
    'javascript:alert(1)',
  ]) {
    const visitor = await session.open(`/login?next=${encodeURIComponent(next)}`);
    await logIn(visitor, user);
    expect(visitor.page.url()).toBe(`${session.system.publicUrl}/account`);
  }
});
