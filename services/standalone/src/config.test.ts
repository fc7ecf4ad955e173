import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashPointFrom } from '@latchkey/hosting';
import { ConfigError } from '@latchkey/kit';
import { loadStandaloneConfig } from './config.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'latchkey-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function faultsOf(environment: Record<string, string>): Record<string, string> {
  try {
    loadStandaloneConfig({ DATA_DIR: dataDir, ...environment });
  } catch (error) {
    if (error instanceof ConfigError) return Object.fromEntries(error.faults.map((f) => [f.setting, f.message]));
    throw error;
  }
  return {};
}

test('nothing needs to be configured for a trial', () => {
  const config = loadStandaloneConfig({ DATA_DIR: dataDir });
  expect(config.gateway).toMatchObject({ port: 3000, host: '127.0.0.1', publicUrl: 'http://localhost:3000' });
});

test('S25 S44 production refuses to start without secrets and with stand-ins, naming all of them, and makes none itself', () => {
  const faults = faultsOf({ NODE_ENV: 'production' });
  expect(Object.keys(faults)).toEqual(
    expect.arrayContaining(['JWT_PRIVATE_KEYS', 'PASSWORD_PEPPER', 'SEALING_KEY', 'SERVICE_SECRET']),
  );
  expect(readdirSync(dataDir)).toEqual([]);
});

test('mailbox and payment simulator are refused in production', () => {
  const secret = 'kD9#mQ2$vX7!pL4@nR8%wT5^yU1&zA6*';
  const { SERVICE_SECRET } = { SERVICE_SECRET: secret };
  // The keys are made in a trial's folder, then given as an operator would.
  const trial = loadStandaloneConfig({ DATA_DIR: dataDir });
  expect(trial.host.serviceSecrets).toHaveLength(1);
  const faults = faultsOf({
    NODE_ENV: 'production',
    SERVICE_SECRET,
    PASSWORD_PEPPER: secret,
    SEALING_KEY: secret,
    JWT_PRIVATE_KEYS_FILE: join(dataDir, 'secrets', 'jwt-private-keys'),
  });
  expect(Object.keys(faults).sort()).toEqual(['SMTP_URL', 'STRIPE_SECRET_KEY']);
});

test.each([
  [{ ADMIN_EMAIL: 'a@example.com' }, 'ADMIN_PASSWORD'],
  [{ ADMIN_PASSWORD: 'long enough a password' }, 'ADMIN_EMAIL'],
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET'],
])('%j is refused, naming %s', (environment, setting) => {
  expect(Object.keys(faultsOf(environment))).toEqual([setting]);
});

test('faults of all services are told at once, each once', () => {
  const faults = faultsOf({
    AUTH_PORT: 'x',
    BCRYPT_COST: '99',
    RETENTION_DAYS: '-1',
    MAIL_FROM: 'nobody',
    RESET_MODE: 'maybe',
  });
  expect(Object.keys(faults).sort()).toEqual(['AUTH_PORT', 'BCRYPT_COST', 'MAIL_FROM', 'RESET_MODE', 'RETENTION_DAYS']);
});

test('CRASH_AT is ignored in production', () => {
  expect(crashPointFrom({ CRASH_AT: 'reset.before-write', NODE_ENV: 'production' })).toBeUndefined();
  expect(crashPointFrom({})).toBeUndefined();
  expect(crashPointFrom({ CRASH_AT: 'reset.before-write' })).toEqual(expect.any(Function));
});
