import { type Environment, loadConfig, settings } from '@latchkey/kit';

const picked = {
  jwtPrivateKeys: settings.JWT_PRIVATE_KEYS,
  peppers: settings.PASSWORD_PEPPER,
  sealingKeys: settings.SEALING_KEY,
  bcryptCost: settings.BCRYPT_COST,
  passwordMinLength: settings.PASSWORD_MIN_LENGTH,
  productName: settings.BRAND_NAME,
  resetMode: settings.RESET_MODE,
  resetTokenTtl: settings.RESET_TOKEN_TTL,
  invitationTtl: settings.INVITATION_TTL,
  sessionTtl: settings.SESSION_TTL,
  sessionIdleTtl: settings.SESSION_IDLE_TTL,
  rateLimitScale: settings.RATE_LIMIT_SCALE,
  retentionDays: settings.RETENTION_DAYS,
};

/** What auth needs to know. Durations are seconds; of several secrets the first makes new values, all are accepted. */
export type AuthConfig = ReturnType<typeof loadAuthConfig>;

/** Throws `ConfigError`, which names every fault at once. */
export function loadAuthConfig(environment: Environment) {
  return loadConfig(picked, environment);
}
