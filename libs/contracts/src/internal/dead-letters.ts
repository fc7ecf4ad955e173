import { defineEndpoint } from '../endpoint.js';
import { listDeadLetters, replayDeadLetter, showDeadLetter } from '../public/operations.js';

const service = { tag: 'dead letters', access: 'service' } as const;

/** What every service that consumes messages offers; the gateway merges the lists. */
export const deadLetterApi = {
  listDeadLetters: defineEndpoint({ ...listDeadLetters, ...service }),
  showDeadLetter: defineEndpoint({ ...showDeadLetter, ...service }),
  replayDeadLetter: defineEndpoint({ ...replayDeadLetter, ...service }),
};
