export type { BillingClient } from './billing-client.js';
export * from './config.js';
export { searchKeys } from './domain/search-keys.js';
export { asFaultOfSetting, lonelyAdminSetting } from './first-admin.js';
export { userModels } from './models/models.js';
export { createUser, type UserService, type UserServiceOptions } from './user.js';
export { createUserProcess, loadUserProcessConfig, type UserProcessOptions } from './user-process.js';
