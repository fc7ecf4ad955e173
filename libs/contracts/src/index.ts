export * from './dead-letter.js';
export * from './endpoint.js';
export * from './error-explanations.js';
export * from './errors.js';
export * from './events/auth.js';
export {
  defineEvent,
  type EventDefinition,
  type Message,
  message as messageSchema,
  type PayloadOf,
} from './events/event.js';
export * from './events/mailer.js';
export * from './events/payment.js';
export * from './events/sealed.js';
export * from './events/topology.js';
export * from './events/user.js';
export type { Role } from './fields.js';
export * as fields from './fields.js';
export * from './health.js';
export { authApi } from './internal/auth.js';
export { deadLetterApi } from './internal/dead-letters.js';
export { mailerApi } from './internal/mailer.js';
export { paymentApi } from './internal/payment.js';
export { userApi } from './internal/user.js';
export * from './mail.js';
export { type OpenApiOptions, openApiDocument } from './openapi/document.js';
export { examples } from './openapi/examples/index.js';
export * from './payment.js';
export { publicApi } from './public/index.js';
export * from './session.js';
export * from './session-token.js';
export * from './user.js';
