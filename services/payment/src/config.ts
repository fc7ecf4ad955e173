import { type Environment, loadConfig, settings } from '@latchkey/kit';

export interface PaymentConfig {
  readonly publicUrl: string;
  readonly checkoutReturnUrl: string | undefined;
  /** Seconds. */
  readonly productsCacheTtl: number;
  readonly reconcileInterval: number;
  readonly billingOnDelete: 'cancel-now' | 'cancel-at-period-end' | 'refuse';
  readonly retentionDays: number;
  readonly rateLimitScale: number;
}

const picked = {
  publicUrl: settings.PUBLIC_URL,
  checkoutReturnUrl: settings.CHECKOUT_RETURN_URL,
  productsCacheTtl: settings.PRODUCTS_CACHE_TTL,
  reconcileInterval: settings.RECONCILE_INTERVAL,
  billingOnDelete: settings.BILLING_ON_DELETE,
  retentionDays: settings.RETENTION_DAYS,
  rateLimitScale: settings.RATE_LIMIT_SCALE,
};

/** Throws `ConfigError` naming every fault. */
export function loadPaymentConfig(environment: Environment): PaymentConfig {
  return loadConfig(picked, environment);
}
