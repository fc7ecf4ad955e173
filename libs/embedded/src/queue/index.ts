export { type EmbeddedQueueOptions, openEmbeddedQueue } from './open-embedded-queue.js';
