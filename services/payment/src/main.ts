import { readEnvironment, runProcess } from '@latchkey/kit';
import { createPaymentProcess } from './payment-process.js';

runProcess('payment', () => createPaymentProcess(readEnvironment()));
