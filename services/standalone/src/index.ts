export { withSecrets } from './secrets.js';
export { createStandalone, type Standalone, type StandaloneOptions } from './standalone.js';
