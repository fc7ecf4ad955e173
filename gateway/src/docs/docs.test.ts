import { errorCodes } from '@latchkey/contracts';
import { eventually } from '@latchkey/tests';
import { type GatewayUnderTest, startGateway } from '../testing/start-gateway.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  // A team with a front end of its own needs these more than any other.
  gateway = await startGateway({ pages: false, brandName: 'A & "B"' });
});
afterAll(() => gateway.stop());

const linked = (text: string) => [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);

test.each(['/docs', '/errors', '/errors/rate-limited'])(
  'S57 S72 %s has nothing inline, asks no third party and keeps the strict policy',
  async (path) => {
    const answer = await gateway.request('GET', path);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('A &amp; &quot;B&quot;</title>');
    expect(answer.text).not.toMatch(/<style|<script[^>]*>[^<]|\son\w+=|style=|(?:src|href)="(?!\/|data:)/);
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(linked(answer.text).length).toBeGreaterThan(0);
  },
);

test('what the pages load comes from here, compressed for who takes it, and may be kept', async () => {
  const paths = linked((await gateway.request('GET', '/docs')).text);
  expect(paths.map((path) => path.split('/').at(-1))).toEqual([
    'swagger-ui.css',
    'docs.css',
    'swagger-ui-bundle.js',
    'start.js',
  ]);
  for (const path of paths) {
    const plain = await gateway.request('GET', path);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(await response.text()).toBe(plain.text);
  }
});

test('every code of the closed list has a page that says what it means and what to do, and the index leads to it', async () => {
  const index = (await gateway.request('GET', '/errors')).text;
  for (const [code, { title, status }] of Object.entries(errorCodes)) {
    const page = await gateway.request('GET', `/errors/${code}`);
    expect([code, page.status]).toEqual([code, 200]);
    for (const part of [
      title,
      String(status),
      'What it means',
      'What to do',
      `&quot;code&quot;: &quot;${code}&quot;`,
    ]) {
      expect(page.text).toContain(part);
    }
    expect(page.text).not.toContain('`');
    expect(index).toContain(`href="/errors/${code}"`);
  }
});

test('the type of a refusal is the address of its page', async () => {
  const { body } = await gateway.request('GET', '/nowhere');
  expect(body.code).toBe('not-found');
  expect((await gateway.request('GET', body.type)).text).toContain(body.title);
});

test('there is no page of a code that does not exist, and nothing to write to', async () => {
  expect((await gateway.request('GET', '/errors/no-such-code')).status).toBe(404);
  expect((await gateway.request('GET', '/docs/assets/../../package.json')).status).toBe(404);
  expect((await gateway.request('POST', '/docs')).status).toBe(404);
});

test('S26 the log and the metrics know few patterns', async () => {
  const [asset = ''] = linked((await gateway.request('GET', '/docs')).text);
  await gateway.request('GET', asset);
  await gateway.request('GET', '/errors/rate-limited');
  for (const pattern of ['/docs', '/docs/assets/:file', '/errors/:code']) {
    await eventually(`the line of ${pattern}`, () => gateway.log.join('').includes(`"route":"${pattern}"`));
  }
});
