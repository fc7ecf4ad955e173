import type { publicApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import type { RecentUsers } from '../sessions/recent-users.js';
import type { Sessions } from '../sessions/sessions.js';

/** The session as auth described it when it was checked a moment ago, and its user as the user service did. */
export function showSession(deps: {
  users: Pick<RecentUsers, 'recent'>;
  sessions: Sessions;
}): Handler<typeof publicApi.showSession> {
  return async (_input, context, exchange) => {
    const presented = deps.sessions.presented(exchange.headers.cookie, context);
    const standing = presented instanceof Promise ? await presented : presented;
    if (standing === null) throw new Problem('session-required');
    const found = deps.users.recent(standing.principal.userId, context);
    const user = found instanceof Promise ? await found : found;
    // Deleted a moment ago: its sessions have ended.
    if (user === null || user.deletedAt !== null) throw new Problem('session-required');
    return { user, session: standing.session };
  };
}
