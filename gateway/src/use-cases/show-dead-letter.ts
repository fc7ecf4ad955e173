import type { publicApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import { type DeadLetterSources, keeperOf } from './dead-letter-sources.js';

export function showDeadLetter(deps: { sources: DeadLetterSources }): Handler<typeof publicApi.showDeadLetter> {
  return async ({ params }, context) => keeperOf(deps.sources, params.id).showDeadLetter({ params }, context);
}
