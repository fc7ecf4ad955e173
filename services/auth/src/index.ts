export { type AuthDeps, createAuth } from './auth.js';
export { type AuthProcessOptions, createAuthProcess, loadAuthProcessConfig } from './auth-process.js';
export { type AuthConfig, loadAuthConfig } from './config.js';
export { createModels as authModels } from './models/models.js';
export { createPasswordHasher, type PasswordHasherOptions } from './passwords/password-hasher.child-process.js';
export type { HashingOptions, PasswordHasher } from './passwords/password-hasher.js';
