import { readEnvironment, runProcess } from '@latchkey/kit';
import { createSupervisor } from './supervisor/supervisor.js';

runProcess('supervisor', () => createSupervisor(readEnvironment(), { write: (text) => process.stdout.write(text) }));
