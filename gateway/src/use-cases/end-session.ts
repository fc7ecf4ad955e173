import type { authApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import { actingSession } from '../sessions/acting-session.js';
import type { Sessions } from '../sessions/sessions.js';

export function endSession(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'endSession'>;
  sessions: Sessions;
}): Handler<typeof publicApi.endSession> {
  return async (_input, context, exchange) => {
    const session = actingSession(context);
    const body = { session_id: session.sessionId, user_id: session.userId };
    await deps.sessions.ending(session, () => deps.auth.endSession({ body }, context));
    deps.sessions.forget(exchange);
    return { message: 'The session has ended.' };
  };
}
