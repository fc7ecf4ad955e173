import type { authApi, publicApi } from '@latchkey/contracts';
import { type ClientOf, type Handler, Problem } from '@latchkey/kit';
import { actingSession } from '../sessions/acting-session.js';
import type { Sessions } from '../sessions/sessions.js';

/** Only sessions of the acting user can be ended here: another's id is 404 like an unknown one (S68). */
export function endOneSession(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'endSession'>;
  sessions: Sessions;
}): Handler<typeof publicApi.endOneSession> {
  return async ({ params }, context, exchange) => {
    const { userId, sessionId } = actingSession(context);
    const body = { session_id: params.id, user_id: userId };
    await deps.sessions.ending({ sessionId: params.id, userId }, async () => {
      const { ended } = await deps.auth.endSession({ body }, context);
      if (!ended) throw new Problem('not-found');
    });
    if (params.id === sessionId) deps.sessions.forget(exchange);
    return { message: 'The session has ended.' };
  };
}
