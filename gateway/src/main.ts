import { readEnvironment, runProcess } from '@latchkey/kit';
import { createGatewayProcess } from './gateway-process.js';

runProcess('gateway', () => createGatewayProcess(readEnvironment()));
