import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import {
  email,
  linkToken,
  message,
  newPassword,
  pageLimit,
  personName,
  presentedPassword,
  role,
  userId,
  userIdInPath,
} from '../fields.js';
import { user, userAnswer } from '../user.js';

const idParams = z.strictObject({ id: userIdInPath });
const showDeleted = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

export const createUser = defineEndpoint({
  method: 'POST',
  path: '/user',
  summary: 'Create a user',
  description:
    'With a password the user can log in at once; without one an invitation is mailed. `role` defaults to `member`.',
  tag: 'users',
  access: 'session',
  body: z.strictObject({
    email,
    first_name: personName,
    last_name: personName,
    password: newPassword.optional(),
    role: role.optional(),
  }),
  success: {
    status: 201,
    description: 'Created',
    body: userAnswer,
    headers: { Location: 'Path of the user, `/user/<id>`' },
  },
  refusals: [
    'validation-failed',
    'session-required',
    'forbidden',
    'email-taken',
    'creation-in-progress',
    'overloaded',
    'service-unavailable',
  ],
});

export const listUsers = defineEndpoint({
  method: 'GET',
  path: '/user',
  summary: 'List users',
  description:
    'By ascending id. `after`: the last id of the page before. `q`: prefix of email, first or last name, case-folded. `deleted=true`: deleted users too, beside the others.',
  tag: 'users',
  access: 'session',
  query: z.strictObject({
    limit: pageLimit,
    after: userIdInPath.optional(),
    q: z.string().trim().min(1).max(254).optional(),
    deleted: showDeleted,
  }),
  success: {
    status: 200,
    description: 'One page; `next` is the `after` of the next page, null on the last',
    body: z.object({ users: z.array(user), next: userId.nullable() }),
  },
  refusals: ['validation-failed', 'session-required', 'forbidden', 'service-unavailable'],
});

export const showUser = defineEndpoint({
  method: 'GET',
  path: '/user/:id',
  summary: 'Get one user',
  description: 'A deleted user only with `deleted=true`, which shows one that is not deleted all the same.',
  tag: 'users',
  access: 'session',
  params: idParams,
  query: z.strictObject({ deleted: showDeleted }),
  success: { status: 200, description: 'The user', body: userAnswer },
  refusals: ['validation-failed', 'session-required', 'forbidden', 'not-found', 'service-unavailable'],
});

export const updateUser = defineEndpoint({
  method: 'PUT',
  path: '/user/:id',
  summary: 'Update a user',
  description:
    'Only the given fields change. `password` and `email` need `current_password`, unless an admin acts on another user. A changed email takes effect when the link mailed to it is confirmed; an admin’s change of another at once.',
  tag: 'users',
  access: 'session',
  params: idParams,
  body: z
    .strictObject({
      email: email.optional(),
      first_name: personName.optional(),
      last_name: personName.optional(),
      password: newPassword.optional(),
      current_password: presentedPassword.optional(),
      role: role.optional(),
    })
    .refine(
      (body) => Object.keys(body).some((key) => key !== 'current_password'),
      'at least one field to change is needed',
    ),
  success: { status: 200, description: 'The user after the change', body: userAnswer },
  refusals: [
    'validation-failed',
    'session-required',
    'credentials-rejected',
    'forbidden',
    'not-found',
    'email-taken',
    'reset-pending',
    'last-admin',
    'rate-limited',
    'overloaded',
    'service-unavailable',
  ],
});

export const deleteUser = defineEndpoint({
  method: 'DELETE',
  path: '/user/:id',
  summary: 'Delete a user',
  description:
    'Soft: the record stays, with `deletedAt`; sessions end and the credentials are disabled before the answer.',
  tag: 'users',
  access: 'session',
  params: idParams,
  success: { status: 200, description: 'The deleted user', body: userAnswer },
  refusals: [
    'validation-failed',
    'session-required',
    'forbidden',
    'not-found',
    'last-admin',
    'billing-open',
    'service-unavailable',
  ],
});

export const endUserSessions = defineEndpoint({
  method: 'DELETE',
  path: '/user/:id/sessions',
  summary: 'End every session of a user',
  tag: 'admin',
  access: 'admin',
  params: idParams,
  success: { status: 200, description: 'Ended', body: message },
  refusals: ['validation-failed', 'session-required', 'forbidden', 'not-found', 'service-unavailable'],
});

export const inviteUser = defineEndpoint({
  method: 'POST',
  path: '/user/:id/invitation',
  summary: 'Mail a (new) invitation',
  description: 'For a user who has not set a password yet.',
  tag: 'admin',
  access: 'admin',
  params: idParams,
  success: { status: 200, description: 'The invitation is on its way', body: message },
  refusals: [
    'validation-failed',
    'session-required',
    'forbidden',
    'not-found',
    'not-replayable',
    'rate-limited',
    'service-unavailable',
  ],
});

export const confirmEmail = defineEndpoint({
  method: 'POST',
  path: '/confirm-email',
  summary: 'Confirm a changed email',
  description: 'The secret comes from the mail sent to the new address.',
  tag: 'users',
  access: 'public',
  body: z.strictObject({ confirm_token: linkToken, user_id: userId }),
  success: { status: 200, description: 'The new address is in use', body: message },
  refusals: ['validation-failed', 'link-invalid', 'email-taken', 'rate-limited', 'service-unavailable'],
});
