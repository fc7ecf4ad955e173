export * from './aggregate.js';
