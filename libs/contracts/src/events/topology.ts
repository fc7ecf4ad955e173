import { invitationRequested, passwordChanged, passwordResetRequested } from './auth.js';
import type { EventDefinition } from './event.js';
import { mailAbandoned } from './mailer.js';
import { checkoutCompleted, checkoutFailed, customerLinked, stripeEventReceived } from './payment.js';
import { emailChanged, emailChangeRequested, userCreated, userDeleted, userRoleChanged } from './user.js';

/** One queue: the events that one consumer takes for one purpose. `queue` = `<consumer>.<use-case>`. */
export interface QueueBinding<E extends EventDefinition = EventDefinition> {
  readonly queue: string;
  readonly event: E;
}

function bind<const Q extends string, E extends EventDefinition>(queue: Q, event: E): { queue: Q; event: E } {
  return { queue, event };
}

/** Every queue of the system. Each process asserts all of them before it publishes, so that nothing is unroutable. */
export const bindings = {
  inviteCreatedUser: bind('auth.invite', userCreated),
  eraseCredentials: bind('auth.erase-credentials', userDeleted),
  endSessionsOfChangedRole: bind('auth.end-sessions', userRoleChanged),
  dropResetsOfChangedEmail: bind('auth.drop-resets', emailChanged),
  restorePassword: bind('auth.restore-password', mailAbandoned),
  sendInvitation: bind('mailer.send-invitation', invitationRequested),
  sendPasswordReset: bind('mailer.send-password-reset', passwordResetRequested),
  sendPasswordChanged: bind('mailer.send-password-changed', passwordChanged),
  sendEmailConfirmation: bind('mailer.send-email-confirmation', emailChangeRequested),
  sendEmailChanged: bind('mailer.send-email-changed', emailChanged),
  sendReceipt: bind('mailer.send-receipt', checkoutCompleted),
  sendPaymentFailed: bind('mailer.send-payment-failed', checkoutFailed),
  applyStripeEvent: bind('payment.apply-stripe-event', stripeEventReceived),
  settleDeletedUser: bind('payment.settle-deleted-user', userDeleted),
  updateCustomerEmail: bind('payment.update-customer-email', emailChanged),
  linkCustomer: bind('user.link-customer', customerLinked),
  dropEmailChange: bind('user.drop-email-change', passwordChanged),
} as const satisfies Record<string, QueueBinding>;
