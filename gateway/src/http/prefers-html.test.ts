import { prefersHtml } from './prefers-html.js';

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html, */*', true],
  ['application/json, text/html', false],
  ['text/html, application/json', true],
  ['text/html;q=0.5, application/json', false],
  ['application/json;q=0.5, text/html', true],
  ['text/html;q=0', false],
  ['text/html;q=0, */*;q=0', false],
  ['text/html;q=junk', false],
  ['TEXT/HTML', true],
])('Accept %j → %s', (accept, html) => {
  expect(prefersHtml(accept)).toBe(html);
});
