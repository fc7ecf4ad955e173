import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { endingSessions } from '../domain/credential-changes.js';
import { removeEndedSessions } from './remove-ended-sessions.js';

/** Ends every session of a user in one write. */
export function endAllSessions(deps: Dependencies): Handler<typeof authApi.endAllSessions> {
  return async ({ params }, context) => {
    const ended = await deps.credentials.change(
      params.user_id,
      (current) => ({ set: endingSessions(current) }),
      context.requestId,
    );
    if (ended) await removeEndedSessions(deps, params.user_id, ended);
    return {};
  };
}
