import { z } from 'zod';
import { defineEndpoint } from '../endpoint.js';
import { email, linkToken, message, newPassword, userId } from '../fields.js';

export const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/reset-password',
  summary: 'Ask for a password reset',
  description:
    'Replaces the password by a temporary value nobody knows and mails a reset link. The answer and its time are the same whether or not the address is known.',
  tag: 'passwords',
  access: 'public',
  body: z.strictObject({ email }),
  success: { status: 200, description: 'The address, partly masked', body: message },
  refusals: ['validation-failed', 'rate-limited', 'service-unavailable'],
});

const presentedResetToken = { reset_token: linkToken, user_id: userId };

export const checkResetToken = defineEndpoint({
  method: 'POST',
  path: '/reset-token/check',
  summary: 'Check a reset token without spending it',
  tag: 'passwords',
  access: 'public',
  body: z.strictObject(presentedResetToken),
  success: { status: 200, description: 'The token can be used', body: z.object({ valid: z.literal(true) }) },
  refusals: ['validation-failed', 'reset-token-invalid', 'rate-limited', 'service-unavailable'],
});

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/change-password',
  summary: 'Set a new password with a reset token',
  description:
    'Ends every session and every other reset token of the user. A refused password does not spend the token.',
  tag: 'passwords',
  access: 'public',
  body: z.strictObject({ ...presentedResetToken, password: newPassword }),
  success: { status: 200, description: 'The password has been updated', body: message },
  refusals: ['validation-failed', 'reset-token-invalid', 'rate-limited', 'overloaded', 'service-unavailable'],
});

export const disownReset = defineEndpoint({
  method: 'POST',
  path: '/reset-token/disown',
  summary: '"This was not me": take a reset back, or end every session after a change',
  description:
    'With the secret of a reset mail: restores the password that was there before the reset and ends every reset token of the user. With the secret of the notice of a changed password (7 days): ends every session of the user; the password stays and a new one is to be set.',
  tag: 'passwords',
  access: 'public',
  body: z.strictObject({ disown_token: linkToken, user_id: userId }),
  success: { status: 200, description: 'Done; the message says what', body: message },
  refusals: ['validation-failed', 'link-invalid', 'rate-limited', 'service-unavailable'],
});
