import type { MailTemplate } from '@latchkey/contracts';
import { createSealer } from '@latchkey/kit';
import { createMailComposer } from './compose-mail.js';
import type { MailDocument } from './models/mail.js';
import { templates } from './templates/index.js';
import type { MailData } from './templates/template.js';
import { loadTexts } from './texts/load-texts.js';

const texts = loadTexts(null);
const languages = Object.keys(texts);

const sealer = createSealer(['k'.repeat(32)]);
const token = 'ab'.repeat(32);
const disownToken = 'cd'.repeat(32);
const nasty = 'Ada <script>alert(1)</script> & "friends"\r\nBcc: evil@example.org';
const moments = { requestedAt: '2030-01-01T10:00:00.000Z', expiresAt: '2030-01-01T10:30:00.000Z' };
const purchase = {
  checkoutId: 'f'.repeat(32),
  name: nasty,
  currency: 'eur',
  amount: 2500,
  items: [{ description: 'Tea <b>', quantity: 2, amount: 2500 }],
  settledAt: moments.requestedAt,
};
const data: MailData = {
  'password-reset': { name: nasty, ...moments, requestedFrom: '203.0.113.7' },
  'password-changed': { name: nasty, changedAt: moments.requestedAt, changedFrom: '203.0.113.7' },
  invitation: { name: nasty, ...moments },
  'email-confirmation': { name: nasty, ...moments },
  'email-changed': { name: nasty, changedAt: moments.requestedAt },
  receipt: purchase,
  'payment-failed': purchase,
};
const purposes = {
  'password-reset': 'reset-token',
  invitation: 'invitation-token',
  'email-confirmation': 'email-confirmation',
};

function composer(options: { resetLinkUrl?: string; logo?: string } = {}) {
  return createMailComposer({
    publicUrl: 'https://accounts.example.org/',
    resetLinkUrl: options.resetLinkUrl ?? null,
    mailFrom: 'Latchkey <no-reply@example.org>',
    brand: { name: 'Latch & Key', color: '#3454d1', logo: options.logo ?? null },
    language: null,
    texts,
    sealer,
  });
}

function compose(template: MailTemplate, options: Parameters<typeof composer>[0] & { language?: string } = {}) {
  const made = composer(options);
  const { language = 'en' } = options;
  const purpose = (purposes as Partial<Record<MailTemplate, string>>)[template];
  const disown = template === 'password-changed' && { disownToken: sealer.seal(disownToken, 'disown-token') };
  return made.compose({
    template,
    data: data[template],
    to: 'ada@example.org',
    userId: 7,
    language,
    subject: made.subject(template, data[template], language),
    messageId: '<1@example.org>',
    ...(disown && { secrets: disown }),
    ...(purpose && {
      secrets: { token: sealer.seal(token, purpose), disownToken: sealer.seal(disownToken, 'disown-token') },
    }),
  } as MailDocument);
}

const names = Object.keys(templates) as MailTemplate[];
const everyMail = names.flatMap((name) => languages.map((language) => [name, language] as const));

test.each(everyMail)(
  '%s in %s: html is escaped, the subject is one line, no line can be forged (S61)',
  (name, language) => {
    const { subject, text, html } = compose(name, { language });
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('undefined');
    expect(text).not.toMatch(/undefined|^Bcc:/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is tested
    expect(subject).not.toMatch(/[\u0000-\u001f]/);
    expect(subject).toContain('Latch & Key');
  },
);

test.each(everyMail)('%s in %s loads nothing from elsewhere', (name, language) => {
  expect(compose(name, { language }).html).not.toMatch(/<img|<link|<script|url\(|src=/);
});

test('a configured logo stands where the name does', () => {
  const { html } = compose('invitation', { logo: 'https://cdn.example.org/logo.png' });
  expect(html).toContain('<img src="https://cdn.example.org/logo.png" alt="Latch &amp; Key"');
});

test.each(['password-reset', 'invitation'] as const)(
  '%s carries the link for a new password, from configuration (S56)',
  (name) => {
    const link = `https://accounts.example.org/change-password?reset_token=${token}&user_id=7`;
    expect(compose(name).text.split('\n')).toContain(link);
    expect(compose(name).html).toContain(`href="${link.replace('&', '&amp;')}"`);
  },
);

test('RESET_LINK_URL replaces the part before the question mark', () => {
  const { text } = compose('invitation', { resetLinkUrl: 'https://app.example.org/#/new-password' });
  expect(text).toContain(`https://app.example.org/#/new-password?reset_token=${token}&user_id=7\n`);
});

test('a reset says when, from where and for how long, and can be taken back', () => {
  const { text } = compose('password-reset');
  expect(text).toMatch(/January 1, 2030.*from the address 203\.0\.113\.7/);
  expect(text).toContain('for 30 minutes');
  expect(text.split('\n')).toContain(`https://accounts.example.org/not-me?disown_token=${disownToken}&user_id=7`);
});

test('a confirmation has a link of its own kind', () => {
  expect(compose('email-confirmation').text.split('\n')).toContain(
    `https://accounts.example.org/confirm-email?confirm_token=${token}&user_id=7`,
  );
});

test.each(names.filter((name) => name !== 'password-reset' && name !== 'invitation'))(
  '%s has no parameter named reset_token',
  (name) => {
    const { text, html } = compose(name);
    expect(text + html).not.toContain('reset_token');
  },
);

test('S60 the notice of a changed password carries one link, which disowns it', () => {
  const { text, html } = compose('password-changed');
  const link = `https://accounts.example.org/not-me?disown_token=${disownToken}&user_id=7`;
  expect(text.match(/https?:\S+/g)).toEqual([link]);
  expect(html.match(/href="[^"]*"/g)).toEqual([`href="${link.replace('&', '&amp;')}"`]);
  expect(text).toContain('This was not you? Then end');
});

test('S60 a notice of an older publisher, or sent once more, comes without the link', () => {
  const made = composer();
  const mail = {
    template: 'password-changed',
    data: data['password-changed'],
    language: 'en',
    userId: 7,
    subject: 'Changed',
  };
  expect(made.compose(mail as MailDocument).text).not.toMatch(/https?:|[0-9a-f]{64}/);
});

test.each(['email-changed', 'receipt', 'payment-failed'] as const)('S60 %s carries no link and no secret', (name) => {
  const { text, html } = compose(name);
  expect(text).not.toMatch(/https?:|[0-9a-f]{64}/);
  expect(html).not.toMatch(/href=|[0-9a-f]{64}/);
});

test('a receipt names what was bought, the sum and the checkout', () => {
  const { text } = compose('receipt');
  expect(text).toContain('2 × Tea <b>: €25.00\nTotal: €25.00\nOrder number: ffffffffffffffffffffffffffffffff');
});

test('a secret that was sealed for another purpose or by another key is refused', () => {
  const mail = { template: 'invitation', data: data.invitation, language: 'en', userId: 7 } as MailDocument;
  expect(() => composer().compose({ ...mail, secrets: { token: sealer.seal(token, 'reset-token') } })).toThrow();
  const foreign = createSealer(['x'.repeat(32)]).seal(token, 'invitation-token');
  expect(() => composer().compose({ ...mail, secrets: { token: foreign } })).toThrow();
  expect(() => composer().compose(mail)).toThrow('the token is missing');
});
