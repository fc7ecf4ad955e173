import type * as passwords from '../../public/passwords.js';
import type { ExamplesOf } from '../operation-example.js';
import { ada, token } from './values.js';

export const passwordExamples: ExamplesOf<typeof passwords> = {
  resetPassword: {
    body: { email: ada.email },
    answer: { message: 'We received your request. A reset link was sent to a***@e******.com.' },
  },
  checkResetToken: { body: { reset_token: token, user_id: ada.id }, answer: { valid: true } },
  changePassword: {
    body: { reset_token: token, user_id: ada.id, password: 'difference engine no 2' },
    answer: { message: 'Your password has been updated.' },
  },
  disownReset: {
    body: { disown_token: token, user_id: ada.id },
    answer: { message: 'Your earlier password works again.' },
  },
};
