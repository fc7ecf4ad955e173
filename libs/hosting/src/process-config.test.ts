import { type ConfigError, settings } from '@latchkey/kit';
import { databaseName } from './engines.js';
import { loadProcessConfig } from './process-config.js';

const good = { SERVICE_SECRET: 'kD9#mQ2$vX7!pL4@nR8%wT5^yU1&zA6*', MONGODB_URI: 'mongodb://db', AMQP_URL: 'amqp://mq' };

function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadProcessConfig(settings.AUTH_PORT)(environment);
  } catch (error) {
    return (error as ConfigError).faults.map(({ setting }) => setting);
  }
  return [];
}

test('a process of its own needs real engines and the service secret', () => {
  expect(faultsOf({})).toEqual(['SERVICE_SECRET', 'MONGODB_URI', 'AMQP_URL']);
  expect(faultsOf(good)).toEqual([]);
});

test('S74 guest is accepted for a trial and refused in production', () => {
  const guest = { ...good, AMQP_URL: 'amqp://guest:guest@mq' };
  expect(faultsOf(guest)).toEqual([]);
  expect(faultsOf({ ...guest, NODE_ENV: 'production' })).toEqual(['AMQP_URL']);
  expect(faultsOf({ ...good, AMQP_URL: 'amqp://latchkey:x@mq', NODE_ENV: 'production' })).toEqual([]);
});

test('CRASH_AT is for trials only', () => {
  const load = loadProcessConfig(settings.AUTH_PORT);
  expect(load({ ...good, CRASH_AT: 'here' }).crashPoint).toEqual(expect.any(Function));
  const production = { ...good, AMQP_URL: 'amqp://latchkey:x@mq', CRASH_AT: 'here', NODE_ENV: 'production' };
  expect(load(production).crashPoint).toBeUndefined();
});

test.each([
  ['mongodb://db', 'latchkey_auth'],
  ['mongodb://db/', 'latchkey_auth'],
  ['mongodb://a:b@one:1,two:2/?replicaSet=rs0', 'latchkey_auth'],
  ['mongodb+srv://db/staging?w=majority', 'staging_auth'],
])('the database of auth at %s is %s', (uri, name) => {
  expect(databaseName(uri, 'auth')).toBe(name);
});
