import { domainOf, loadMailerConfig } from './config.js';

test('a configuration has a default for everything but the sealing key', () => {
  expect(loadMailerConfig({ SEALING_KEY: 'first,second' })).toEqual({
    publicUrl: 'http://localhost:3000',
    resetLinkUrl: null,
    mailFrom: 'no-reply@localhost',
    sealingKeys: ['first', 'second'],
    retentionDays: 30,
    brand: { name: 'Latchkey', color: '#3454d1', logo: null },
    language: null,
    texts: { en: expect.anything(), de: expect.anything() },
  });
  expect(() => loadMailerConfig({ BRAND_COLOR: 'red' })).toThrow(
    /SEALING_KEY[\s\S]*BRAND_COLOR|BRAND_COLOR[\s\S]*SEALING_KEY/,
  );
});

test('a language without texts is refused', () => {
  const environment = { SEALING_KEY: 'key', MAIL_LANGUAGE: 'fr' };
  expect(() => loadMailerConfig(environment)).toThrow(
    'MAIL_LANGUAGE must be one of the languages that there are texts for: en, de',
  );
});

test.each([
  ['Latchkey <no-reply@example.org>', 'example.org'],
  ['no-reply@example.org', 'example.org'],
  ['"a@b" <no-reply@mail.example.org> ', 'mail.example.org'],
])('Message-IDs of %s are of its domain', (from, domain) => {
  expect(domainOf(from)).toBe(domain);
});
