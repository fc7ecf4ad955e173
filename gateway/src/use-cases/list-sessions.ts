import type { authApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import { actingSession } from '../sessions/acting-session.js';

export function listSessions(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'listSessions'>;
}): Handler<typeof publicApi.listSessions> {
  return async (_input, context) => {
    const { userId, sessionId } = actingSession(context);
    const { sessions } = await deps.auth.listSessions({ params: { user_id: String(userId) } }, context);
    return { sessions: sessions.map((session) => ({ ...session, current: session.id === sessionId })) };
  };
}
