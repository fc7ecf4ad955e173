import { type ConfigOf, type Environment, loadConfig, settings } from '@latchkey/kit';

const userSettings = {
  access: settings.USER_ACCESS,
  rateLimitScale: settings.RATE_LIMIT_SCALE,
  sealingKeys: settings.SEALING_KEY,
  eraseAfterDays: settings.ERASE_AFTER_DAYS,
  billingOnDelete: settings.BILLING_ON_DELETE,
  retentionDays: settings.RETENTION_DAYS,
};

/** What the user service can be told. `eraseAfterDays`: null for never. */
export type UserConfig = ConfigOf<typeof userSettings>;

/** Throws `ConfigError`, which names every fault at once. */
export function loadUserConfig(environment: Environment): UserConfig {
  return loadConfig(userSettings, environment);
}
