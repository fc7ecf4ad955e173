export { type EmbeddedQueue, type EmbeddedQueueOptions, openEmbeddedQueue } from './open-embedded-queue.js';
