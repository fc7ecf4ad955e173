import { bindings } from '@latchkey/contracts';
import { type Subscription, subscribe } from '@latchkey/messaging';
import type { EnqueueMail } from './use-cases/enqueue-mail.js';
import { sendEmailChanged } from './use-cases/send-email-changed.js';
import { sendEmailConfirmation } from './use-cases/send-email-confirmation.js';
import { sendInvitation } from './use-cases/send-invitation.js';
import { sendPasswordChanged } from './use-cases/send-password-changed.js';
import { sendPasswordReset } from './use-cases/send-password-reset.js';
import { sendPaymentFailed } from './use-cases/send-payment-failed.js';
import { sendReceipt } from './use-cases/send-receipt.js';

/** What the mailer listens to. Each row only writes a mail down; the sender does the rest. */
export function subscriptions(enqueue: EnqueueMail): readonly Subscription[] {
  return [
    subscribe(bindings.sendInvitation, sendInvitation(enqueue)),
    subscribe(bindings.sendPasswordReset, sendPasswordReset(enqueue)),
    subscribe(bindings.sendPasswordChanged, sendPasswordChanged(enqueue)),
    subscribe(bindings.sendEmailConfirmation, sendEmailConfirmation(enqueue)),
    subscribe(bindings.sendEmailChanged, sendEmailChanged(enqueue)),
    subscribe(bindings.sendReceipt, sendReceipt(enqueue)),
    subscribe(bindings.sendPaymentFailed, sendPaymentFailed(enqueue)),
  ];
}
