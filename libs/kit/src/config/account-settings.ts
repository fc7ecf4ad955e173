import { privateKeys, secretList, weakness } from './secret-values.js';
import { optional, parsed, required, setting } from './setting.js';
import { days, integer, oneOf, onOff, seconds, text } from './values.js';

const secret = (description: string) =>
  required(secretList, { description, secret: true, productionFault: (values) => weakness(values) });

/** Credentials, sessions and the secrets that protect them. */
export const accountSettings = {
  ADMIN_EMAIL: optional(text, {
    description: 'Email of the first admin, created when there is no such user',
    whenEmpty: 'made and printed once in a standalone start',
  }),
  ADMIN_PASSWORD: optional(text, {
    description: 'Password of the first admin',
    whenEmpty: 'made and printed once in a standalone start',
    secret: true,
  }),
  ADMIN_ONLY_IF_NONE: setting(onOff, 'off', {
    description: 'Creates the first admin only while there is no active admin at all',
  }),
  JWT_PRIVATE_KEYS: required(privateKeys, {
    description: 'PEM EC P-256 keys of session tokens: the first signs, all verify',
    secret: true,
  }),
  PASSWORD_PEPPER: secret('Keys mixed into every password hash: the first for new hashes, all for old ones'),
  SEALING_KEY: secret('Keys that seal tokens at rest and on the queue: the first seals, all unseal'),
  SERVICE_SECRET: secret('Secrets behind calls between services: the first signs, all verify'),
  BCRYPT_COST: setting(integer(4, 16), '12', {
    description: 'Cost of a password hash (S09)',
    productionFault: (cost) => (cost < 10 ? 'must be at least 10' : null),
  }),
  PASSWORD_MIN_LENGTH: setting(integer(8, 128), '8', { description: 'Shortest password, in code points (S01)' }),
  RESET_TOKEN_TTL: setting(seconds(60, 86_400), '1800', {
    description: 'Seconds a reset link works, a day at most (S50)',
  }),
  INVITATION_TTL: setting(seconds(60), '604800', { description: 'Seconds an invitation works' }),
  SESSION_TTL: setting(seconds(60), '43200', { description: 'Seconds a session lasts at most (S42)' }),
  SESSION_IDLE_TTL: setting(seconds(60), '7200', { description: 'Seconds a session lasts unused (S42)' }),
  RESET_MODE: setting(oneOf('bounded', 'deferred'), 'bounded', {
    description: 'Whether a reset request replaces the password (bounded) or leaves it until the change (deferred)',
  }),
  ERASE_AFTER_DAYS: setting(
    parsed<number | null>('never or a number of days', (value) =>
      value === 'never' ? null : (days.safeParse(value).data ?? undefined),
    ),
    'never',
    { description: "Days after which a deleted user's personal data is erased" },
  ),
};
