import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import {
  bcryptHash,
  email,
  message,
  newPassword,
  presentedPassword,
  role,
  sessionId,
  userId,
  userIdInPath,
} from '../fields.js';
import { changePassword, checkResetToken, disownReset, resetPassword } from '../public/passwords.js';
import { logIn, showKeys } from '../public/sessions.js';
import { session } from '../session.js';
import { user } from '../user.js';

const service = { tag: 'auth', access: 'service' } as const;
const done = z.object({});
const ofUser = z.strictObject({ user_id: userIdInPath });

/** What auth offers to the gateway and to its neighbours. */
export const authApi = {
  logIn: defineEndpoint({
    ...logIn,
    ...service,
    success: {
      status: 200,
      description: 'The session token (a JWT) and its user',
      body: z.object({ user, token: z.string(), session }),
    },
  }),
  requestPasswordReset: defineEndpoint({ ...resetPassword, ...service }),
  checkResetToken: defineEndpoint({ ...checkResetToken, ...service }),
  changePassword: defineEndpoint({ ...changePassword, ...service }),
  disownReset: defineEndpoint({ ...disownReset, ...service }),

  introspectSession: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/sessions/introspect',
    summary: 'Does this session still stand?',
    description: 'Also notes that the session was used (at most once a minute).',
    body: z.strictObject({ session_id: sessionId, user_id: userId }),
    success: {
      status: 200,
      description: '`active: false` for ended, expired, idle and unknown ones alike',
      body: z.discriminatedUnion('active', [
        z.object({ active: z.literal(false) }),
        z.object({ active: z.literal(true), role, session }),
      ]),
    },
    refusals: ['service-unavailable'],
  }),
  endSession: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/sessions/end',
    summary: 'End one session of a user; `ended: false` when there was none',
    body: z.strictObject({ session_id: sessionId, user_id: userId }),
    success: { status: 200, description: 'Ended', body: z.object({ ended: z.boolean() }) },
    refusals: ['service-unavailable'],
  }),
  listSessions: defineEndpoint({
    ...service,
    method: 'GET',
    path: '/users/:user_id/sessions',
    summary: 'The active sessions of a user, newest first',
    params: ofUser,
    success: { status: 200, description: 'Sessions', body: z.object({ sessions: z.array(session) }) },
    refusals: ['service-unavailable'],
  }),
  endAllSessions: defineEndpoint({
    ...service,
    method: 'DELETE',
    path: '/users/:user_id/sessions',
    summary: 'End every session of a user',
    params: ofUser,
    success: { status: 200, description: 'Ended', body: done },
    refusals: ['service-unavailable'],
  }),
  setPassword: defineEndpoint({
    ...service,
    method: 'PUT',
    path: '/credentials/:user_id',
    summary: 'Set a user’s password',
    description:
      '`provision`: first password of a user being created; idempotent; refused once the user has credentials. `change`: by the user, who gives the current password (its other sessions end, that of the principal stays) or by an admin (`current_password` left out; every session ends).',
    params: ofUser,
    body: z.strictObject({
      mode: z.enum(['provision', 'change']),
      password: newPassword,
      current_password: presentedPassword.optional(),
      /** The user's own words that the password may not contain (S07). */
      context: z.array(z.string()).max(10),
      /** Where to tell of the change. */
      email,
      name: z.string(),
    }),
    success: { status: 200, description: 'Set', body: done },
    refusals: [
      'validation-failed',
      'credentials-rejected',
      'reset-pending',
      'not-found',
      'rate-limited',
      'overloaded',
      'service-unavailable',
    ],
  }),
  importPassword: defineEndpoint({
    ...service,
    method: 'PUT',
    path: '/credentials/:user_id/imported',
    summary: 'The first password of a user who comes from elsewhere, as the bcrypt hash that was kept there',
    description:
      'For a user being created; idempotent; refused once the user has other credentials. The first login upgrades the hash.',
    params: ofUser,
    body: z.strictObject({ password_hash: bcryptHash }),
    success: { status: 200, description: 'Set', body: done },
    refusals: ['validation-failed', 'not-found', 'service-unavailable'],
  }),
  verifyPassword: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/credentials/:user_id/verify',
    summary: 'Check a user’s current password; counts failures like a login',
    params: ofUser,
    body: z.strictObject({ password: presentedPassword, email }),
    success: { status: 200, description: 'It is right', body: done },
    refusals: ['credentials-rejected', 'reset-pending', 'rate-limited', 'overloaded', 'service-unavailable'],
  }),
  checkPassword: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/password-policy/check',
    summary: 'Would this password be accepted?',
    description: 'Asked before a record is created, so that a refused password leaves nothing behind.',
    body: z.strictObject({ password: newPassword, context: z.array(z.string()).max(10) }),
    success: { status: 200, description: 'It would', body: done },
    refusals: ['validation-failed'],
  }),
  dropResets: defineEndpoint({
    ...service,
    method: 'DELETE',
    path: '/credentials/:user_id/resets',
    summary: 'Forget the prior hash and every reset token (the user’s email changed)',
    params: ofUser,
    success: { status: 200, description: 'Dropped', body: done },
    refusals: ['service-unavailable'],
  }),
  disableCredentials: defineEndpoint({
    ...service,
    method: 'DELETE',
    path: '/credentials/:user_id',
    summary: 'Disable a user’s credentials and end every session; idempotent',
    params: ofUser,
    success: { status: 200, description: 'Disabled', body: done },
    refusals: ['service-unavailable'],
  }),
  inviteUser: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/users/:user_id/invitation',
    summary: 'Mail an invitation to a user without a password',
    params: ofUser,
    success: { status: 200, description: 'On its way', body: message },
    refusals: ['not-found', 'not-replayable', 'rate-limited', 'service-unavailable'],
  }),
  reissueLink: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/users/:user_id/reset-link',
    summary: 'Mail a fresh reset link, asked for by an admin; the password is not touched',
    params: ofUser,
    success: { status: 200, description: 'On its way', body: message },
    refusals: ['not-found', 'not-replayable', 'service-unavailable'],
  }),
  showKeys: defineEndpoint({ ...showKeys, ...service }),
};
