import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { email, message, presentedPassword, sessionId } from '../fields.js';
import { session } from '../session.js';
import { user, userAnswer } from '../user.js';

export const logIn = defineEndpoint({
  method: 'POST',
  path: '/login',
  summary: 'Log in',
  description:
    'Sets the session cookie. The answer to a wrong password, an unknown email and a deleted user is the same, in the same time.',
  tag: 'sessions',
  access: 'public',
  body: z.strictObject({ email, password: presentedPassword }),
  success: {
    status: 200,
    description: 'Logged in',
    body: userAnswer,
    headers: { 'Set-Cookie': 'The session, in an `HttpOnly` cookie that lasts until the browser is closed' },
  },
  refusals: ['validation-failed', 'credentials-rejected', 'rate-limited', 'overloaded', 'service-unavailable'],
});

export const logOut = defineEndpoint({
  method: 'GET',
  path: '/logout',
  changesState: true,
  summary: 'Log out',
  description:
    'Ends the session on the server and deletes the cookie. Answers 401, as the contract says, with or without a cookie.',
  tag: 'sessions',
  access: 'public',
  success: {
    status: 401,
    description: 'Logged out',
    body: message,
    headers: { 'Set-Cookie': 'Deletes the session cookie' },
  },
  refusals: ['cross-site-request', 'service-unavailable'],
});

export const showSession = defineEndpoint({
  method: 'GET',
  path: '/session',
  summary: 'Who am I',
  tag: 'sessions',
  access: 'session',
  success: { status: 200, description: 'The user and the session of the cookie', body: z.object({ user, session }) },
  refusals: ['session-required', 'service-unavailable'],
});

export const endSession = defineEndpoint({
  method: 'DELETE',
  path: '/session',
  summary: 'End this session',
  tag: 'sessions',
  access: 'session',
  success: {
    status: 200,
    description: 'Ended',
    body: message,
    headers: { 'Set-Cookie': 'Deletes the session cookie' },
  },
  refusals: ['session-required', 'service-unavailable'],
});

export const listSessions = defineEndpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'My sessions',
  tag: 'sessions',
  access: 'session',
  success: { status: 200, description: 'Newest first', body: z.object({ sessions: z.array(session) }) },
  refusals: ['session-required', 'service-unavailable'],
});

export const endOneSession = defineEndpoint({
  method: 'DELETE',
  path: '/sessions/:id',
  summary: 'End one of my sessions',
  tag: 'sessions',
  access: 'session',
  params: z.strictObject({ id: sessionId }),
  success: { status: 200, description: 'Ended', body: message },
  refusals: ['session-required', 'not-found', 'service-unavailable'],
});

export const showKeys = defineEndpoint({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'The public keys that verify session tokens (RFC 7517)',
  description: 'A valid signature alone is no session: whether it still stands, only the service can say.',
  tag: 'sessions',
  access: 'public',
  success: {
    status: 200,
    description: 'JWK set',
    body: z.object({
      keys: z.array(
        z.object({
          kty: z.literal('EC'),
          crv: z.literal('P-256'),
          alg: z.literal('ES256'),
          use: z.literal('sig'),
          kid: z.string(),
          x: z.string(),
          y: z.string(),
        }),
      ),
    }),
  },
  refusals: ['service-unavailable'],
});
