import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eventually } from '@latchkey/tests';
import { routes } from '../../web/src/routing/routes.js';
import { httpRequest } from '../testing/http-request.js';
import { type GatewayUnderTest, startGateway } from '../testing/start-gateway.js';
import { pagePaths } from './page-paths.js';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway({ brandName: 'A & "B"', brandColor: '#123456' });
});
afterAll(() => gateway.stop());

const paths = [
  '/login',
  '/forgot-password',
  '/change-password?reset_token=ab&user_id=7',
  '/not-me?disown_token=ab&user_id=7',
  '/confirm-email?confirm_token=ab&user_id=7',
  '/account',
  '/pricing',
  '/checkout/0123456789abcdef0123456789abcdef',
  '/admin',
  '/admin/mails',
  '/admin/mails/7',
];

test.each(paths)('S57 %s is a page for browsers, without inline code, frames or referrers', async (path) => {
  const before = gateway.services.calls.length;
  const answer = await gateway.request('GET', path, { headers: browser });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.text).toContain('<title>');
  expect(answer.text).toContain('A &amp; &quot;B&quot;</title>');
  expect(answer.text).not.toMatch(/<style|<script[^>]*>[^<]|\son\w+=|style=|\{\{|https?:\/\/(?!www\.w3\.org)/);
  expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  expect(answer.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(answer.headers.vary).toMatch(/Accept/);
  // A GET shows a page and spends nothing.
  expect(gateway.services.calls.slice(before).filter(({ name }) => name !== 'auth.showKeys')).toEqual([]);
});

test('S26 the log names a page by its pattern, never by its address', async () => {
  await gateway.request('GET', '/checkout/fedcba9876543210', { headers: browser });
  await gateway.request('GET', '/', { headers: browser });
  const { scripts } = linked((await gateway.request('GET', '/login', { headers: browser })).text);
  await gateway.request('GET', scripts[0] as string);
  for (const pattern of ['/checkout/:id', '/', '/login', '/assets/:file']) {
    await eventually(`the line of ${pattern}`, () => gateway.log.join('').includes(`"route":"${pattern}"`));
  }
  expect(gateway.log.join('')).not.toContain('fedcba9876543210');
});

test('the document tells its script the brand, and nothing of the request', async () => {
  const { text } = await gateway.request('GET', '/change-password?reset_token=abcdef&user_id=7', { headers: browser });
  const settings = /name="latchkey" content="([^"]*)"/.exec(text)?.[1] ?? '';
  const unescaped = settings.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  expect(JSON.parse(unescaped)).toEqual({ brandName: 'A & "B"', brandLogo: null, passwordMinLength: 8 });
  expect(text).not.toContain('abcdef');
});

test('the gateway serves a page at every route of the web application, and at no other', () => {
  expect(Object.entries(pagePaths)).toEqual(Object.entries(routes));
});

test('everybody else gets the API’s answer', async () => {
  const json = { accept: 'application/json' };
  expect((await gateway.request('GET', '/login')).status).toBe(405);
  expect((await gateway.request('GET', '/change-password', { headers: json })).status).toBe(405);
  expect((await gateway.request('GET', '/not-me', { headers: { accept: '*/*' } })).status).toBe(404);
  expect((await gateway.request('GET', '/user', { headers: browser })).status).toBe(401);
  expect((await gateway.request('POST', '/login', { headers: browser })).status).toBe(400);
});

const linked = (text: string) => ({
  scripts: [...text.matchAll(/<script [^>]*src="([^"]+)"/g)].map(([, path = '']) => path),
  styles: [...text.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, path = '']) => path),
});

test('one script and one style, which come from here and may be cached for ever', async () => {
  const { scripts, styles } = linked((await gateway.request('GET', '/login', { headers: browser })).text);
  expect([scripts.length, styles.length]).toEqual([1, 1]);
  const [script = '', style = ''] = [...scripts, ...styles];
  const css = await gateway.request('GET', style);
  expect(css.headers['content-type']).toMatch(/^text\/css/);
  expect(css.text).toContain('--brand:#123456');
  expect(css.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await gateway.request('GET', script)).headers['content-type']).toMatch(/^text\/javascript/);
  expect((await gateway.request('GET', '/assets/../index.html')).status).toBe(404);
  const root = await gateway.request('GET', '/', { headers: browser });
  expect([root.status, root.headers.location]).toEqual([302, '/login']);
});

test('another colour makes another style, so that no cache mixes them up', async () => {
  const styleOf = async (under: GatewayUnderTest) =>
    linked((await under.request('GET', '/login', { headers: browser })).text).styles[0];
  const other = await startGateway({ brandColor: '#654321' });
  expect(await styleOf(other)).not.toBe(await styleOf(gateway));
  await other.stop();
});

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('documents, script and style come compressed with %s to who takes it', async (encoding, decompress) => {
  const document = await gateway.request('GET', '/login', { headers: browser });
  const { scripts, styles } = linked(document.text);
  for (const path of ['/login', ...scripts, ...styles]) {
    const plain = await gateway.request('GET', path, { headers: browser });
    const small = await httpRequest(gateway.port, 'GET', path, {
      headers: { ...browser, 'accept-encoding': encoding },
    });
    expect([path, small.headers['content-encoding']]).toEqual([path, encoding]);
    expect(small.headers.vary).toMatch(/Accept-Encoding/);
    expect(decompress(small.bytes).toString()).toBe(plain.text);
  }
});

test('all pages together weigh less than 100 kB compressed, and what /login needs less than 25 kB', async () => {
  const folder = resolve(__dirname, '../../web/dist/assets');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(1);
  const sizes = scripts.map((name) => readFileSync(resolve(folder, `${name}.br`)).length);
  const { text } = await gateway.request('GET', '/login', { headers: browser });
  const { scripts: linkedScripts, styles } = linked(text);
  const headers = { ...browser, 'accept-encoding': 'br' };
  const needed = await Promise.all(
    ['/login', ...styles, ...linkedScripts].map(
      async (path) => (await httpRequest(gateway.port, 'GET', path, { headers })).bytes.length,
    ),
  );
  const sum = (numbers: number[]) => numbers.reduce((total, size) => total + size, 0);
  expect(sum(needed)).toBeLessThan(25 * 1024);
  // What is linked is counted twice, which only makes it stricter.
  expect(sum(sizes) + sum(needed)).toBeLessThan(100 * 1024);
});

test('a logo from elsewhere is the one thing that the policy lets in', async () => {
  const branded = await startGateway({ brandLogo: 'https://cdn.example.com/logo.svg' });
  const answer = await branded.request('GET', '/login', { headers: browser });
  expect(answer.headers['content-security-policy']).toContain('img-src data: https://cdn.example.com;');
  await branded.stop();
});

test('PAGES=off leaves the API alone', async () => {
  const bare = await startGateway({ pages: false });
  for (const [path, status] of [
    ['/login', 405],
    ['/not-me', 404],
    ['/account', 404],
    [linked((await gateway.request('GET', '/login', { headers: browser })).text).scripts[0] ?? '', 404],
  ] as const) {
    expect([path, (await bare.request('GET', path, { headers: browser })).status]).toEqual([path, status]);
  }
  await bare.stop();
});
