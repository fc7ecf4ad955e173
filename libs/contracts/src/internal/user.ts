import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { bcryptHash, email, personName, role, userIdInPath } from '../fields.js';
import { confirmEmail, createUser, deleteUser, listUsers, showUser, updateUser } from '../public/users.js';
import { user, userAnswer } from '../user.js';

const service = { tag: 'user', access: 'service' } as const;

/**
 * What the user service offers. The first six are the public operations; the service applies the rights of `context.principal`
 * itself, so that no caller can forget to.
 */
export const userApi = {
  createUser: defineEndpoint({ ...createUser, ...service }),
  listUsers: defineEndpoint({ ...listUsers, ...service }),
  showUser: defineEndpoint({ ...showUser, ...service }),
  updateUser: defineEndpoint({ ...updateUser, ...service }),
  deleteUser: defineEndpoint({ ...deleteUser, ...service }),
  confirmEmail: defineEndpoint({ ...confirmEmail, ...service }),

  importUser: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/users/import',
    summary: 'Create a user who comes from elsewhere with the bcrypt hash of its password; no mail is sent',
    body: z.strictObject({
      email,
      first_name: personName,
      last_name: personName,
      role: role.default('member'),
      password_hash: bcryptHash,
    }),
    success: { status: 201, description: 'Created', body: userAnswer },
    refusals: [
      'validation-failed',
      'session-required',
      'forbidden',
      'email-taken',
      'creation-in-progress',
      'service-unavailable',
    ],
  }),
  findUserByEmail: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/users/lookup',
    summary: 'The active user with this email (case-insensitive), or null',
    body: z.strictObject({ email }),
    success: { status: 200, description: 'User or null', body: z.object({ user: user.nullable() }) },
    refusals: ['service-unavailable'],
  }),
  findUserById: defineEndpoint({
    ...service,
    method: 'GET',
    path: '/users/:user_id',
    summary:
      'The user with this id for a neighbour, deleted or not; null when none was ever made or it is still being made',
    params: z.strictObject({ user_id: userIdInPath }),
    success: { status: 200, description: 'User or null', body: z.object({ user: user.nullable() }) },
    refusals: ['service-unavailable'],
  }),
  reissueEmailConfirmation: defineEndpoint({
    ...service,
    method: 'POST',
    path: '/users/:user_id/email-confirmation',
    summary: 'Mail a fresh confirmation link for a pending change of email',
    params: z.strictObject({ user_id: userIdInPath }),
    success: { status: 200, description: 'On its way', body: z.object({ message: z.string() }) },
    refusals: ['not-found', 'not-replayable', 'service-unavailable'],
  }),
};
