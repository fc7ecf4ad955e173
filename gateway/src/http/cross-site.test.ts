import { isCrossSiteSubresource, isCrossSiteWrite } from './cross-site.js';

const policy = { publicOrigin: 'https://id.example.com', allowedOrigins: new Set(['https://app.example.com']) };
const host = 'id.example.com';

test.each<[string, Record<string, string>, boolean]>([
  ['no browser header at all', {}, false],
  ['its own page', { 'sec-fetch-site': 'same-origin', origin: 'https://id.example.com' }, false],
  ['the address bar', { 'sec-fetch-site': 'none' }, false],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }, true],
  ['another site without Origin', { 'sec-fetch-site': 'cross-site' }, true],
  ['a neighbouring host', { 'sec-fetch-site': 'same-site', origin: 'https://blog.example.com' }, true],
  ['an allowed neighbouring host', { 'sec-fetch-site': 'same-site', origin: 'https://app.example.com' }, false],
  ['an allowed site', { 'sec-fetch-site': 'cross-site', origin: 'https://app.example.com' }, false],
  ['an unknown word', { 'sec-fetch-site': 'maybe' }, true],
  ['two values', { 'sec-fetch-site': 'same-origin, cross-site' }, true],
  ['an older browser, own Origin', { origin: 'https://id.example.com' }, false],
  ['an older browser, foreign Origin', { origin: 'https://evil.test' }, true],
  ['an older browser, Origin null', { origin: 'null' }, true],
  ['an Origin that begins alike', { origin: 'https://id.example.com.evil.test' }, true],
  ['an older browser, own scheme not', { origin: 'http://id.example.com' }, true],
  ['an older browser, own Referer', { referer: 'https://id.example.com/login' }, false],
  ['an older browser, foreign Referer', { referer: 'https://evil.test/?https://id.example.com' }, true],
  ['a Referer that is junk', { referer: '::' }, true],
  ['a Host that names the foreign Origin', { origin: 'http://evil.test', host: 'evil.test' }, true],
  ['loopback by another name', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }, false],
  ['loopback, another port', { origin: 'http://127.0.0.1:4000', host: '127.0.0.1:3000' }, true],
])('S63 S64 a write: %s → refused %s', (_name, headers, refused) => {
  expect(isCrossSiteWrite({ host, ...headers }, policy)).toBe(refused);
});

test.each<[string, Record<string, string>, boolean]>([
  ['no browser header at all', {}, false],
  [
    'a cross-site image',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    true,
  ],
  ['a same-site fetch', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, true],
  [
    'a cross-site frame',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    true,
  ],
  [
    'a cross-site link',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    false,
  ],
  [
    'a cross-site prefetch of a link',
    {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'sec-purpose': 'prefetch',
    },
    true,
  ],
  ['cross-site and nothing else', { 'sec-fetch-site': 'cross-site' }, true],
  ['its own fetch', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, false],
  [
    'an allowed site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://app.example.com' },
    false,
  ],
])('S66 a state-changing GET: %s → refused %s', (_name, headers, refused) => {
  expect(isCrossSiteSubresource({ host, ...headers }, policy)).toBe(refused);
});
