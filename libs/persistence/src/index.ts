export * from './aggregate.js';
export * from './aggregate-fields.js';
export * from './duplicate-key.js';
export * from './guard-database.js';
export { createOutbox, type OutboxOptions } from './outbox/create-outbox.js';
export type { PendingEvents } from './outbox/pending-events.js';
export type { Relay } from './outbox/relay.js';
export * from './sweep.js';
export * from './unavailable.js';
