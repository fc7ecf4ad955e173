import { readEnvironment, runProcess } from '@latchkey/kit';
import { createAuthProcess } from './auth-process.js';

runProcess('auth', () => createAuthProcess(readEnvironment()));
