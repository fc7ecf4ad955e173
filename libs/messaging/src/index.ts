export * from './amqp/index.js';
export * from './back-off.js';
export * from './consumer.js';
export * from './encode-message.js';
export * from './names.js';
export * from './port.js';
export * from './subscription.js';
