import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig } from './load-config.js';
import type { Environment, Setting } from './setting.js';
import { settings } from './settings.js';

const strong = () => randomBytes(32).toString('base64url');
const pem = (namedCurve = 'P-256') =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const { JWT_PRIVATE_KEYS, PASSWORD_PEPPER, SEALING_KEY, SERVICE_SECRET, PORT, AUTH_URL, COOKIE_NAME } = settings;
const secrets = { JWT_PRIVATE_KEYS, PASSWORD_PEPPER, SEALING_KEY, SERVICE_SECRET };

function faultsOf(pick: Record<string, Setting>, environment: Environment): ConfigError {
  try {
    loadConfig(pick, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('It was accepted');
}

test('defaults hold for what is unset or empty, also those derived from other settings', () => {
  const config = loadConfig(
    { port: PORT, auth: AUTH_URL, publicUrl: settings.PUBLIC_URL },
    { PORT: '', AUTH_PORT: '4001' },
  );
  expect(config).toEqual({ port: 3000, auth: ['http://127.0.0.1:4001'], publicUrl: 'http://localhost:3000' });
});

test('every optional setting and every default is accepted by its own schema', () => {
  const { JWT_PRIVATE_KEYS: _1, PASSWORD_PEPPER: _2, SEALING_KEY: _3, SERVICE_SECRET: _4, ...rest } = settings;
  expect(loadConfig(rest, { NODE_ENV: 'production' })).toMatchObject({
    TRUST_PROXY: [],
    PAGES: true,
    BODY_LIMIT: 102_400,
    BCRYPT_COST: 12,
    ERASE_AFTER_DAYS: null,
    MONGODB_URI: undefined,
    MAIL_FROM: 'no-reply@localhost',
  });
});

test('all faults are told at once, each with its name, under whatever key it was picked', () => {
  const error = faultsOf({ port: PORT, cookie: COOKIE_NAME, ...secrets }, { PORT: 'http', COOKIE_NAME: 'a b' });
  expect(error.faults.map((fault) => fault.setting)).toEqual(['PORT', 'COOKIE_NAME', ...Object.keys(secrets)]);
  expect(error.message).toContain('PORT must be a whole number from 0 to 65535, not "http"');
});

test('S44 production refuses missing, short and sample secrets, naming all of them and printing none', () => {
  const short = 'tooshort-c0ffee';
  const sample = 'change-me-change-me-change-me-change-me';
  const error = faultsOf(secrets, { NODE_ENV: 'production', PASSWORD_PEPPER: short, SEALING_KEY: sample });
  expect(error.faults.map((fault) => fault.setting)).toEqual(Object.keys(secrets));
  expect(error.message).not.toContain(short);
  expect(error.message).not.toContain(sample);
});

test('S25 a short secret hides behind a long one in vain', () => {
  expect(faultsOf({ SEALING_KEY }, { NODE_ENV: 'production', SEALING_KEY: `${strong()},short` }).message).toContain(
    'at least 32 bytes',
  );
});

test('S44 several secrets and several keys are accepted, first the one in use', () => {
  const [old, fresh] = [strong(), strong()];
  const keys = pem() + pem().replaceAll('\n', '\\n');
  const config = loadConfig(
    { SERVICE_SECRET, JWT_PRIVATE_KEYS },
    {
      NODE_ENV: 'production',
      SERVICE_SECRET: `${fresh}, ${old}`,
      JWT_PRIVATE_KEYS: keys,
    },
  );
  expect(config.SERVICE_SECRET).toEqual([fresh, old]);
  expect(config.JWT_PRIVATE_KEYS).toHaveLength(2);
});

test.each([
  ['another curve', pem('P-384')],
  ['rubbish beside a key', `${pem()}tail`],
  ['no key', 'a-secret-that-is-no-key-at-all'],
])('private keys: %s is refused without being printed', (_name, value) => {
  const error = faultsOf({ JWT_PRIVATE_KEYS }, { JWT_PRIVATE_KEYS: value });
  expect(error.message).toContain('JWT_PRIVATE_KEYS must be one or more PEM EC private keys on P-256');
  expect(error.message).not.toContain(value.slice(-20, -5));
});

test('a secret is read from a file; giving it twice, or a file that is not there, is a fault', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'latchkey-')), 'secret');
  const value = strong();
  writeFileSync(file, `${value}\n`);
  expect(loadConfig({ SEALING_KEY }, { SEALING_KEY_FILE: file })).toEqual({ SEALING_KEY: [value] });
  expect(faultsOf({ SEALING_KEY }, { SEALING_KEY_FILE: file, SEALING_KEY: value }).message).toContain('both given');
  expect(faultsOf({ SEALING_KEY }, { SEALING_KEY_FILE: `${file}.missing` }).message).toContain('ENOENT');
});

test("S74 RabbitMQ's guest is refused in production only", () => {
  const { AMQP_URL } = settings;
  const guest = { AMQP_URL: 'amqp://guest:guest@localhost' };
  expect(loadConfig({ AMQP_URL }, guest).AMQP_URL).toBe(guest.AMQP_URL);
  expect(faultsOf({ AMQP_URL }, { ...guest, NODE_ENV: 'production' }).message).not.toContain('guest:guest');
});

test.each([
  ['TRUST_PROXY', '2', 2],
  ['TRUST_PROXY', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ['ALLOWED_ORIGINS', 'https://a.example', ['https://a.example']],
  ['BODY_LIMIT', '1MB', 1_048_576],
  ['PUBLIC_URL', 'https://id.example.org/', 'https://id.example.org'],
  ['ERASE_AFTER_DAYS', '7', 7],
  ['RATE_LIMIT_SCALE', '0.5', 0.5],
] as const)('%s=%s is read', (name, text, value) => {
  expect(loadConfig({ [name]: settings[name] }, { [name]: text })).toEqual({ [name]: value });
});

test.each([
  ['TRUST_PROXY', 'everyone'],
  ['ALLOWED_ORIGINS', 'https://a.example/path'],
  ['BODY_LIMIT', '0'],
  ['PUBLIC_URL', 'ftp://x'],
  ['BCRYPT_COST', '3'],
  ['RESET_MODE', 'toString'],
  ['MAIL_FROM', 'a@b.c\r\nBcc: x@y.z'],
] as const)('%s=%s is refused', (name, text) => {
  expect(faultsOf({ [name]: settings[name] }, { [name]: text }).faults).toHaveLength(1);
});

test('F36 a service may have several addresses', () => {
  const load = (AUTH_URL: string) => loadConfig({ auth: settings.AUTH_URL }, { AUTH_URL }).auth;
  expect(load('http://one:3001/, http://two:3001')).toEqual(['http://one:3001', 'http://two:3001']);
  expect(() => load('http://one:3001,')).toThrow('AUTH_URL must be one or several');
  expect(() => load('http://one:3001, two')).toThrow('AUTH_URL must be one or several');
});
