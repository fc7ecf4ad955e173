import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@latchkey/kit';
import { processTable, withoutForeignSecrets } from './process-table.js';
import { loadSupervisorConfig } from './supervisor-config.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'latchkey-supervisor-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const engines = { MONGODB_URI: 'mongodb://127.0.0.1', AMQP_URL: 'amqp://127.0.0.1' };

function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadSupervisorConfig({ DATA_DIR: dataDir, ...environment });
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ setting }) => setting).sort();
    throw error;
  }
  return [];
}

test('it needs the engines and nothing else', () => {
  expect(faultsOf({})).toEqual(['AMQP_URL', 'MONGODB_URI']);
  const config = loadSupervisorConfig({ DATA_DIR: dataDir, ...engines, AUTH_PORT: '4001' });
  expect(config).toMatchObject({ mailbox: true, simulator: true });
  expect(config.environment).toMatchObject({ AUTH_URL: 'http://127.0.0.1:4001', USER_URL: 'http://127.0.0.1:3002' });
});

test('S25 S44 secrets are made once, before anything is spawned', () => {
  const first = loadSupervisorConfig({ DATA_DIR: dataDir, ...engines }).environment;
  const second = loadSupervisorConfig({ DATA_DIR: dataDir, ...engines }).environment;
  expect(first.SERVICE_SECRET).toHaveLength(43);
  expect(second).toEqual(first);
});

test('the faults of all six are told at once', () => {
  expect(
    faultsOf({ ...engines, BCRYPT_COST: '99', MAIL_FROM: 'x', ADMIN_EMAIL: 'a@example.com', TRUST_PROXY: '?' }),
  ).toEqual(['ADMIN_PASSWORD', 'BCRYPT_COST', 'MAIL_FROM', 'TRUST_PROXY']);
});

test('S44 S74 production has no stand-ins, no guest and no secrets of its own making', () => {
  expect(faultsOf({ ...engines, NODE_ENV: 'production' })).toEqual(
    expect.arrayContaining(['AMQP_URL', 'JWT_PRIVATE_KEYS', 'SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']),
  );
  expect(readdirSync(dataDir)).toEqual([]);
});

test('S74 a process gets no secret that it has no use for', () => {
  const everything = {
    ...{
      JWT_PRIVATE_KEYS: 'x',
      PASSWORD_PEPPER_FILE: 'x',
      SERVICE_SECRET: 'x',
      MONGODB_URI: 'x',
      STRIPE_SECRET_KEY: 'x',
    },
    ...{ ADMIN_PASSWORD: 'x', SMTP_URL: 'x', PORT: '3000' },
  };
  const given = (name: string) => {
    const entry = processTable.find((one) => one.name === name);
    if (!entry) throw new Error(name);
    return Object.keys(withoutForeignSecrets(entry, everything)).sort();
  };
  expect(given('gateway')).toEqual(['PORT', 'SERVICE_SECRET']);
  expect(given('auth')).toEqual(['JWT_PRIVATE_KEYS', 'MONGODB_URI', 'PASSWORD_PEPPER_FILE', 'PORT', 'SERVICE_SECRET']);
  expect(given('mailer')).toEqual(['MONGODB_URI', 'PORT', 'SERVICE_SECRET', 'SMTP_URL']);
});
