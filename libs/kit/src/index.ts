export * from './call-context.js';
export * from './clock.js';
export * from './problem.js';
export * from './route.js';
export * from './service.js';
