import { readEnvironment, runProcess } from '@latchkey/kit';
import { createUserProcess } from './user-process.js';

runProcess('user', () =>
  createUserProcess(readEnvironment(), {
    // A supervisor that made the password wants to know whether it is any good.
    onFirstAdmin: (outcome) => process.send?.({ firstAdmin: outcome }),
  }),
);
