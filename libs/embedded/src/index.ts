export { DatabaseUnavailableError, UnindexedFilterError, UnsupportedOperationError } from './database/errors.js';
export { type EmbeddedDatabaseOptions, openEmbeddedDatabase, sweepExpired } from './database/open-embedded-database.js';
export * from './files/index.js';
export * from './queue/index.js';
