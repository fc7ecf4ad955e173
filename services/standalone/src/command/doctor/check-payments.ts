import { createStripeProvider } from '@latchkey/payment';
import type { Examined } from './examined.js';
import { type Finding, failed, ok, reasonOf, warning } from './finding.js';

/** The key is used for a real call, which lists the products; of the webhook's secret only the shape can be told from here. */
export async function checkPayments(examined: Examined): Promise<Finding[]> {
  const { stripeSecretKey: secretKey, stripeWebhookSecrets, stripeApiUrl: apiUrl, production } = examined;
  if (!secretKey)
    return [
      warning(
        'payments',
        'are simulated: nobody pays anything',
        'Set STRIPE_SECRET_KEY when this is more than a trial.',
      ),
    ];
  const provider = createStripeProvider({
    secretKey,
    webhookSecrets: [],
    ...(apiUrl && { apiUrl }),
    timeoutMs: 10_000,
  });
  try {
    const products = await provider.listProducts();
    return [
      ok('payments', `the provider takes the key; ${products.length} products are for sale`),
      ...(production && /^[sr]k_test_/.test(secretKey)
        ? [warning('payments', 'STRIPE_SECRET_KEY is a test key', 'Real payments need the live key.')]
        : []),
      ...webhookSecretFaults(stripeWebhookSecrets ?? []),
    ];
  } catch (error) {
    return [
      failed(
        'payments',
        reasonOf(error),
        'See that STRIPE_SECRET_KEY is a secret or restricted key of the right account, and that its host can be reached.',
      ),
      ...webhookSecretFaults(stripeWebhookSecrets ?? []),
    ];
  } finally {
    provider.close();
  }
}

function webhookSecretFaults(secrets: readonly string[]): Finding[] {
  const advice =
    "Copy the signing secret (whsec_…) of the endpoint $PUBLIC_URL/webhook/stripe from the provider's dashboard.";
  if (secrets.length === 0)
    return [failed('payments', 'STRIPE_WEBHOOK_SECRET is missing: webhooks would be refused', advice)];
  return secrets.every((secret) => /^whsec_\S{16,}$/.test(secret))
    ? []
    : [failed('payments', 'STRIPE_WEBHOOK_SECRET does not look like a signing secret', advice)];
}
