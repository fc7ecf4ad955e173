import type { publicApi, userApi } from '@latchkey/contracts';
import { type ClientOf, type Handler, Problem } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

/** The session as auth described it when it was checked a moment ago, and the user as it is now. */
export function showSession(deps: {
  users: Pick<ClientOf<typeof userApi>, 'findUserById'>;
  sessions: Sessions;
}): Handler<typeof publicApi.showSession> {
  return async (_input, context, exchange) => {
    const standing = await deps.sessions.presented(exchange.headers.cookie, context);
    if (standing === null) throw new Problem('session-required');
    const params = { user_id: String(standing.principal.userId) };
    const { user } = await deps.users.findUserById({ params }, context);
    // Deleted a moment ago: its sessions have ended.
    if (user === null || user.deletedAt !== null) throw new Problem('session-required');
    return { user, session: standing.session };
  };
}
