import { ConfigError, type Environment, loadConfig, settings } from '@latchkey/kit';
import type { StripeProviderOptions } from './payment-provider.stripe.js';

/** The key that a simulator takes when none is set. */
export const SIMULATOR_KEY = 'sk_test_simulator';

const outgoing = { secretKey: settings.STRIPE_SECRET_KEY, apiUrl: settings.STRIPE_API_URL };
const incoming = { webhookSecrets: settings.STRIPE_WEBHOOK_SECRET };

/**
 * How to reach the provider from a process of its own. There is no built-in simulator here: STRIPE_SECRET_KEY is required, unless STRIPE_API_URL names a
 * simulator, outside production. Only who takes in webhooks (`webhooks`) needs their secret.
 */
export function loadProviderConfig(environment: Environment, o: { webhooks: boolean }): StripeProviderOptions {
  const { secretKey, apiUrl, ...given } = loadConfig({ ...outgoing, ...(o.webhooks && incoming) }, environment);
  const webhookSecrets = given.webhookSecrets ?? [];
  const simulated = apiUrl !== undefined && environment.NODE_ENV !== 'production';
  const faults = [
    secretKey === undefined &&
      !simulated && {
        setting: 'STRIPE_SECRET_KEY',
        message: 'is required (or, for a trial, STRIPE_API_URL of a simulator)',
      },
    o.webhooks &&
      webhookSecrets.length === 0 && { setting: 'STRIPE_WEBHOOK_SECRET', message: 'is required to verify webhooks' },
  ].filter((fault) => typeof fault === 'object');
  if (faults.length > 0) throw new ConfigError(faults);
  return { secretKey: secretKey ?? SIMULATOR_KEY, webhookSecrets, ...(apiUrl !== undefined && { apiUrl }) };
}
