export type { BillingClient } from './billing-client.js';
export * from './config.js';
export { createUser, type UserService, type UserServiceOptions } from './user.js';
