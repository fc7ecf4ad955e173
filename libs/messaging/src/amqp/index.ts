export { type AmqpQueue, type AmqpQueueOptions, openAmqpQueue } from './open-amqp-queue.js';
export { TopologyMismatchError } from './topology.js';
