/**
 * What auth writes into a session token and every gateway insists on (S36). The claims are `sub` (user id), `sid`, `iat`, `exp`, `iss`, `aud` and
 * nothing else (S43); the header holds `kid` and the explicit type, so that a token signed with the same key for another purpose is no session.
 */
export const sessionToken = {
  algorithm: 'ES256',
  type: 'latchkey-session+jwt',
  issuer: 'latchkey',
  audience: 'latchkey',
} as const;
