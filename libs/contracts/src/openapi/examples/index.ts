import type { publicApi } from '../../public/index.js';
import type { ExamplesOf } from '../operation-example.js';
import { operationExamples } from './operations.js';
import { passwordExamples } from './passwords.js';
import { paymentExamples } from './payments.js';
import { sessionExamples } from './sessions.js';
import { userExamples } from './users.js';

/** What a client may send to each public operation, and what it is answered. */
export const examples: ExamplesOf<typeof publicApi> = {
  ...sessionExamples,
  ...passwordExamples,
  ...userExamples,
  ...operationExamples,
  ...paymentExamples,
};
