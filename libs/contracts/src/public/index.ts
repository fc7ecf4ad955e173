import * as operations from './operations.js';
import * as passwords from './passwords.js';
import * as payments from './payments.js';
import * as sessions from './sessions.js';
import * as users from './users.js';

/** Every operation that the gateway offers to clients. */
export const publicApi = { ...sessions, ...passwords, ...users, ...operations, ...payments };
