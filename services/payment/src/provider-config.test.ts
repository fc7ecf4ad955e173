import { ConfigError } from '@latchkey/kit';
import { loadProviderConfig } from './provider-config.js';

function faultsOf(environment: Record<string, string>, webhooks = true): string[] {
  try {
    loadProviderConfig(environment, { webhooks });
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ setting }) => setting);
    throw error;
  }
  return [];
}

test('a payment process of its own needs a provider; only a trial may name a simulator', () => {
  expect(faultsOf({})).toEqual(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']);
  const simulator = { STRIPE_API_URL: 'http://127.0.0.1:3007/simulator', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  expect(faultsOf(simulator)).toEqual([]);
  expect(faultsOf({ ...simulator, NODE_ENV: 'production' })).toEqual(['STRIPE_SECRET_KEY']);
  expect(faultsOf({ ...simulator, STRIPE_SECRET_KEY: 'sk_live_1', NODE_ENV: 'production' })).toEqual([]);
});

test('S73 who takes in no webhooks gets none of their secrets', () => {
  const environment = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1,whsec_2' };
  expect(loadProviderConfig(environment, { webhooks: true }).webhookSecrets).toEqual(['whsec_1', 'whsec_2']);
  expect(loadProviderConfig(environment, { webhooks: false }).webhookSecrets).toEqual([]);
  expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_test_1' }, false)).toEqual([]);
});
