import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill } from './catalogue.js';
import { loadTexts } from './load-texts.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'texts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const ours = (name: string) => JSON.parse(readFileSync(join(__dirname, '../../texts', name), 'utf8'));
const link = { brand: 'Shop', asked: 'today', lifetime: '30 minutes', until: 'tonight' };

test('every file of ours has every text, and says all that a reader must know', () => {
  const names = readdirSync(join(__dirname, '../../texts'));
  const texts = loadTexts(null);
  expect(Object.keys(texts).map((language) => `${language}.json`)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(texts)[0]).toBe('en');
  for (const language of Object.values(texts)) {
    const { subject, paragraphs, notes } = language.passwordReset({ ...link, from: '203.0.113.7' });
    expect([subject, ...paragraphs, ...notes].join()).toMatch(/Shop.*today.*203\.0\.113\.7.*30 minutes.*tonight/);
  }
});

test('a team’s file replaces the texts that it names and leaves the others', () => {
  write('en.json', { passwordReset: { subject: 'Locked out of {brand}?', notes: ['Until {until}.'] } });
  const { en, de } = loadTexts(folder);
  const reset = en?.passwordReset({ ...link, from: null });
  expect(reset).toMatchObject({
    subject: 'Locked out of Shop?',
    notes: ['Until tonight.'],
    button: 'Choose a new password',
  });
  expect(en?.footer('Shop')).toContain('Shop sent this mail');
  expect(de?.passwordReset({ ...link, from: null }).subject).toBe('Ihr Passwort für Shop zurücksetzen');
});

test('a complete file brings a language', () => {
  write('pt-BR.json', { ...ours('en.json'), greeting: 'Olá {name},' });
  expect(Object.keys(loadTexts(folder))).toEqual(['en', 'de', 'pt-BR']);
  expect(loadTexts(folder)['pt-BR']?.greeting('Ana')).toBe('Olá Ana,');
});

test('every fault of every file is told at once', () => {
  const { footer: _missing, ...incomplete } = ours('en.json');
  write('fr.json', incomplete);
  write('en.json', { greting: 'Hi', invitation: { subject: 'Welcome, {from}' } });
  write('de.json', '{ broken');
  write('notes.json', {});
  write('README.md', 'not read');
  let message = '';
  try {
    loadTexts(folder);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(/MAIL_TEXTS fr\.json: footer: /);
  expect(message).toMatch(/MAIL_TEXTS en\.json: .*"greting"/);
  expect(message).toMatch(
    /en\.json: invitation\.subject: \{from\} is not a fact of this text; there are \{brand\}, \{asked\}/,
  );
  expect(message).toMatch(/MAIL_TEXTS de\.json: .*JSON/);
  expect(message).toMatch(/MAIL_TEXTS notes\.json: is not named after a language/);
});

test('a folder that is not there is a fault', () => {
  expect(() => loadTexts(join(folder, 'nowhere'))).toThrow(/MAIL_TEXTS cannot be read: ENOENT/);
});

test('a fact is put in as it is, braces and dollar signs too', () => {
  expect(fill('Hello {name}, {name}!', { name: '{brand} $& $1' })).toBe('Hello {brand} $& $1, {brand} $& $1!');
});
