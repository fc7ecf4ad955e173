export { makeCredentials } from './containers/credentials.js';
export { writeCredentials } from './containers/write-credentials.js';
export { migrate } from './migrate/migrate.js';
export { withSecrets } from './secrets.js';
export { createStandalone, type Standalone, type StandaloneOptions } from './standalone.js';
export { processTable } from './supervisor/process-table.js';
