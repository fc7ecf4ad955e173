import { readEnvironment, runProcess } from '@latchkey/kit';
import { createStripeSimulatorProcess } from './stripe-simulator-process.js';

runProcess('stripe-simulator', () => createStripeSimulatorProcess(readEnvironment()));
