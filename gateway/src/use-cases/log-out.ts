import type { authApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

/**
 * Ends every well-signed session among the cookies, even one that has run out, and deletes the cookie; the same without one. When auth cannot be asked the session
 * still stands on the server, so the answer is 503 and not the success; the browser loses its cookie all the same.
 */
export function logOut(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'endSession'>;
  sessions: Sessions;
}): Handler<typeof publicApi.logOut> {
  return async (_input, context, exchange) => {
    deps.sessions.forget(exchange);
    for (const session of await deps.sessions.wellSigned(exchange.headers.cookie)) {
      const body = { session_id: session.sessionId, user_id: session.userId };
      await deps.sessions.ending(session, () => deps.auth.endSession({ body }, context));
    }
    return { message: 'You are logged out.' };
  };
}
