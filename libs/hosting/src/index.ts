export { type CrashPoint, crashPointFrom } from './crash-point.js';
export { databaseName, type Engines, openEngines } from './engines.js';
export { loadProcessConfig, type ProcessConfig } from './process-config.js';
export { queueInBackground } from './queue-in-background.js';
export {
  type Composition,
  createServiceProcess,
  type Host,
  type Parts,
  type ProcessOptions,
  type ServiceProcess,
} from './service-process.js';
