import { readEnvironment, runProcess } from '@latchkey/kit';
import { createMailerProcess } from './mailer-process.js';

runProcess('mailer', () => createMailerProcess(readEnvironment()));
