import type { publicApi } from '@latchkey/contracts';

export type Api = typeof publicApi;

/**
 * Method and path of every operation that a page uses. The contracts' own definitions bring zod with them, which weighs more than all pages together; so only their types are used
 * here, and the compiler holds each row to its definition.
 */
export const operations = {
  showHealth: ['GET', '/health'],
  logIn: ['POST', '/login'],
  showSession: ['GET', '/session'],
  endSession: ['DELETE', '/session'],
  listSessions: ['GET', '/sessions'],
  endOneSession: ['DELETE', '/sessions/:id'],

  resetPassword: ['POST', '/reset-password'],
  checkResetToken: ['POST', '/reset-token/check'],
  changePassword: ['POST', '/change-password'],
  disownReset: ['POST', '/reset-token/disown'],

  createUser: ['POST', '/user'],
  listUsers: ['GET', '/user'],
  showUser: ['GET', '/user/:id'],
  updateUser: ['PUT', '/user/:id'],
  deleteUser: ['DELETE', '/user/:id'],
  confirmEmail: ['POST', '/confirm-email'],
  endUserSessions: ['DELETE', '/user/:id/sessions'],
  inviteUser: ['POST', '/user/:id/invitation'],

  listProducts: ['GET', '/products'],
  startCheckout: ['GET', '/checkout'],
  showCheckout: ['GET', '/checkout/:id'],

  listMails: ['GET', '/mails'],
  showMail: ['GET', '/mails/:id'],
  replayMail: ['POST', '/mails/:id/replay'],
  listWebhookEvents: ['GET', '/webhook-events'],
  showWebhookEvent: ['GET', '/webhook-events/:id'],
  replayWebhookEvent: ['POST', '/webhook-events/:id/replay'],
  listDeadLetters: ['GET', '/dead-letters'],
  showDeadLetter: ['GET', '/dead-letters/:id'],
  replayDeadLetter: ['POST', '/dead-letters/:id/replay'],
} as const satisfies { readonly [K in keyof Api]?: readonly [Api[K]['method'], Api[K]['path']] };

export type OperationName = keyof typeof operations;
