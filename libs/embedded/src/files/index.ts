export { copyConsistently, type FileCopy } from './copy-consistently.js';
export { faultsOfFile, isInUse } from './inspect-file.js';
export { readQueueFile, type StoredMessage } from './read-queue-file.js';
