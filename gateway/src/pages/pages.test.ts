import { type GatewayUnderTest, startGateway } from '../testing/start-gateway.js';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway({ brandName: 'A & B', brandColor: '#123456' });
});
afterAll(() => gateway.stop());

test.each([
  ['/login', ['Email', 'Password', 'Log in']],
  ['/forgot-password', ['Email', 'Send reset link']],
  ['/change-password?reset_token=ab&user_id=7', ['New password', 'Set new password', 'expired or already used']],
  ['/not-me?disown_token=ab&user_id=7', ['This was not me']],
  ['/confirm-email?confirm_token=ab&user_id=7', ['Confirm email']],
])('S57 %s is a page for browsers, without inline code, frames or referrers', async (path, texts) => {
  const answer = await gateway.request('GET', path, { headers: browser });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const text of texts) expect(answer.text).toContain(text);
  expect(answer.text).toContain('A &#38; B');
  expect(answer.text.match(/role="alert"/g)).toHaveLength(1);
  expect(answer.text).not.toMatch(/<style|<script[^>]*>[^<]|\son\w+=|style=|\{\{/);
  for (const [, id] of answer.text.matchAll(/<input id="(\w+)"/g)) expect(answer.text).toContain(`<label for="${id}">`);
  expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  expect(answer.headers['content-security-policy']).toMatch(
    /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
  );
  expect(answer.headers.vary).toMatch(/Accept/);
  // A GET shows a page and spends nothing.
  expect(gateway.services.calls.filter(({ name }) => name !== 'auth.showKeys')).toEqual([]);
});

test('everybody else gets the API’s answer', async () => {
  expect((await gateway.request('GET', '/login')).status).toBe(405);
  expect((await gateway.request('GET', '/change-password', { headers: { accept: 'application/json' } })).status).toBe(
    405,
  );
  expect((await gateway.request('GET', '/not-me', { headers: { accept: '*/*' } })).status).toBe(404);
  expect((await gateway.request('GET', '/user', { headers: browser })).status).toBe(401);
});

test('style and script come from here', async () => {
  const css = await gateway.request('GET', '/assets/pages.css');
  expect(css.headers['content-type']).toMatch(/^text\/css/);
  expect(css.text).toContain('--brand: #123456;');
  expect((await gateway.request('GET', '/assets/pages.js')).headers['content-type']).toMatch(/^text\/javascript/);
  expect((await gateway.request('GET', '/assets/../layout.html')).status).toBe(404);
  const root = await gateway.request('GET', '/', { headers: browser });
  expect([root.status, root.headers.location]).toEqual([302, '/login']);
});

test('PAGES=off leaves the API alone', async () => {
  const bare = await startGateway({ pages: false });
  for (const [path, status] of [
    ['/login', 405],
    ['/not-me', 404],
    ['/assets/pages.js', 404],
  ] as const) {
    expect([path, (await bare.request('GET', path, { headers: browser })).status]).toEqual([path, status]);
  }
  await bare.stop();
});
