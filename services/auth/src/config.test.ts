import { loadAuthConfig } from './config.js';
import { testConfig } from './testing/start-auth.js';

const secrets = {
  JWT_PRIVATE_KEYS: testConfig.jwtPrivateKeys.join('\n'),
  PASSWORD_PEPPER: 'n3w-pepper-kQ9z1vX7mR2tY8wB4cD6eF0gH,0ld-pepper-kQ9z1vX7mR2tY8wB4cD6eF0gH',
  SEALING_KEY: 'sEal-kQ9z1vX7mR2tY8wB4cD6eF0gHjKlMn',
};

test('the defaults are those of the documentation; several peppers may be given', () => {
  expect(loadAuthConfig(secrets)).toMatchObject({
    bcryptCost: 12,
    passwordMinLength: 8,
    resetMode: 'bounded',
    resetTokenTtl: 1800,
    invitationTtl: 604800,
    sessionTtl: 43200,
    sessionIdleTtl: 7200,
    rateLimitScale: 1,
    productName: 'Latchkey',
    peppers: secrets.PASSWORD_PEPPER.split(','),
  });
});

test('S25 S44 without its secrets, or with short ones in production, auth refuses to start and names all of them', () => {
  expect(() => loadAuthConfig({})).toThrow(/JWT_PRIVATE_KEYS[\s\S]*PASSWORD_PEPPER[\s\S]*SEALING_KEY/);
  const short = { ...secrets, NODE_ENV: 'production', PASSWORD_PEPPER: 'short', SEALING_KEY: 'short' };
  expect(() => loadAuthConfig(short)).toThrow(/PASSWORD_PEPPER[\s\S]*SEALING_KEY/);
});
