export * from './mailbox/index.js';
export * from './stripe/index.js';
