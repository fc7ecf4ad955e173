export * from './port.js';
export * from './subscription.js';
