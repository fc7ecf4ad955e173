export type { AmqpQueueOptions } from './amqp-queue-options.js';
export { type AmqpQueue, openAmqpQueue } from './open-amqp-queue.js';
export { TopologyMismatchError } from './topology.js';
