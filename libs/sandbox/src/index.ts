export * from './mailbox/index.js';
