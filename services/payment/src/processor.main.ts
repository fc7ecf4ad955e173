import { readEnvironment, runProcess } from '@latchkey/kit';
import { createPaymentProcessorProcess } from './payment-process.js';

runProcess('payment-processor', () => createPaymentProcessorProcess(readEnvironment()));
