import type { MailTemplate } from '@latchkey/contracts';
import { emailChanged } from './email-changed.js';
import { emailConfirmation } from './email-confirmation.js';
import { invitation } from './invitation.js';
import { passwordChanged } from './password-changed.js';
import { passwordReset } from './password-reset.js';
import { paymentFailed } from './payment-failed.js';
import { receipt } from './receipt.js';
import type { Template } from './template.js';

/** Every mail that is sent. */
export const templates: { readonly [T in MailTemplate]: Template<T> } = {
  'password-reset': passwordReset,
  'password-changed': passwordChanged,
  invitation,
  'email-confirmation': emailConfirmation,
  'email-changed': emailChanged,
  receipt,
  'payment-failed': paymentFailed,
};
