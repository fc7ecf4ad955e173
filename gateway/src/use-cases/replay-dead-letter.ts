import type { publicApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import { type DeadLetterSources, keeperOf } from './dead-letter-sources.js';

export function replayDeadLetter(deps: { sources: DeadLetterSources }): Handler<typeof publicApi.replayDeadLetter> {
  return async ({ params }, context) => keeperOf(deps.sources, params.id).replayDeadLetter({ params }, context);
}
